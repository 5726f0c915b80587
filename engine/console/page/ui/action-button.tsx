import type { ComponentChildren } from "preact";
import type { Action } from "./use-action.ts";

/** Runs an action at a press. While it runs it takes no other press, and keeps the focus, which a disabled button loses. */
export function ActionButton({
  action,
  isOff = false,
  isEarly = false,
  children,
  ...attributes
}: {
  action: Action;
  /** Whether it cannot be pressed at all. */
  isOff?: boolean;
  /** Whether it takes no press yet. */
  isEarly?: boolean | undefined;
  class?: string;
  "aria-label"?: string;
  children: ComponentChildren;
}) {
  return (
    <button
      type="button"
      disabled={isOff}
      aria-disabled={action.isBusy || isEarly}
      onClick={action.isBusy || isEarly ? undefined : action.run}
      {...attributes}
    >
      {children}
    </button>
  );
}
