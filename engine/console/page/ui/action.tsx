import type { ComponentProps } from "preact";
import { useState } from "preact/hooks";
import { formatNumber } from "./format.ts";
import { Icon, type IconName } from "./icon.tsx";

/** Work that a press begins. */
export interface Action<Value = unknown> {
  isBusy: boolean;
  /** What it gave, or why it failed; until it is run again. */
  value?: Value;
  error?: Error;
  run(): void;
}

/** Runs `work` at a press, once at a time. */
export function useAction<Value>(work: () => Promise<Value>): Action<Value> {
  const [state, setState] = useState<Omit<Action<Value>, "run">>({ isBusy: false });
  const run = () => {
    if (state.isBusy) return;
    setState({ isBusy: true });
    work().then(
      (value) => setState({ isBusy: false, value }),
      (error: Error) => setState({ isBusy: false, error }),
    );
  };
  return { ...state, run };
}

/** Runs an action at a press. While it runs it takes no other press, and keeps the focus, which a disabled button loses. */
export function ActionButton({
  action,
  isEarly = false,
  ...attributes
}: {
  action: Action;
  /** Whether it takes no press yet. */
  isEarly?: boolean;
} & ComponentProps<"button">) {
  const isHeld = action.isBusy || isEarly;
  return (
    <Button aria-disabled={isHeld} onClick={isHeld ? undefined : action.run} {...attributes} />
  );
}

/** A button that sends no form. */
export function Button(props: ComponentProps<"button">) {
  return <button type="button" {...props} />;
}

/** A button that shows a picture alone. */
export function IconButton({
  icon,
  label,
  ...attributes
}: { icon: IconName; label: string } & ComponentProps<"button">) {
  return (
    <Button class="quiet icon-only" aria-label={label} title={label} {...attributes}>
      <Icon name={icon} />
    </Button>
  );
}

/** How much of something long is shown, and the button for as much again; no button if all is shown. */
export function useMore(step: number, total: number, noun = "") {
  const [shownMax, setShownMax] = useState(step);
  const left = total - shownMax;
  const more = left > 0 && (
    <Button class="quiet" onClick={() => setShownMax(shownMax + step)}>
      Show more ({formatNumber(left)} {noun}left)
    </Button>
  );
  return [shownMax, more] as const;
}
