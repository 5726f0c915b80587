import type { ComponentChildren } from "preact";
import type { Action } from "./use-action.ts";

/** Runs an action at a press. While it runs it takes no other press, and keeps the focus, which a disabled button loses. */
export function ActionButton({
  action,
  isOff = false,
  children,
  ...attributes
}: {
  action: Action;
  /** Whether it cannot be pressed at all. */
  isOff?: boolean;
  class?: string;
  "aria-label"?: string;
  children: ComponentChildren;
}) {
  return (
    <button
      type="button"
      disabled={isOff}
      aria-disabled={action.isBusy}
      onClick={action.isBusy ? undefined : action.run}
      {...attributes}
    >
      {children}
    </button>
  );
}
