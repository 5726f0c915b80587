import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { Failure } from "./states.tsx";
import type { Action } from "./use-action.ts";
import { useFocus } from "./use-focus.ts";

interface FormProps {
  /** What the form does; `verb` says it. */
  action: Action;
  verb: string;
  /** Whether something is missing still. */
  isIncomplete?: boolean;
  class?: string;
  /** Leaves a form that was opened on its page, by a button of this name. */
  leave?: string;
  onLeave?: () => void;
  children: ComponentChildren;
}

/** Fields, why they were refused, and the buttons. A form that can be left takes the focus, and gives it back. */
export function Form({
  action,
  verb,
  isIncomplete = false,
  class: name = "stack",
  leave = "Cancel",
  onLeave,
  children,
}: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useFocus(() => {
    if (onLeave) form.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  });
  return (
    <form
      ref={form}
      class={name}
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        action.run();
      }}
    >
      {children}
      {action.error && <Failure error={action.error} />}
      <div class="row">
        <button type="submit" class="primary" disabled={isIncomplete} aria-disabled={action.isBusy}>
          {verb}
        </button>
        {onLeave && (
          <button type="button" onClick={onLeave}>
            {leave}
          </button>
        )}
      </div>
    </form>
  );
}
