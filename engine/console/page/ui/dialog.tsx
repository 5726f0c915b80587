import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import { useFocus } from "./use-focus.ts";

interface DialogProps {
  title: string;
  /** Called for Escape and the close button; without it the dialog cannot be left. */
  onClose?: () => void;
  children?: ComponentChildren;
}

/** A modal dialog, open as long as it is rendered. The focus goes back to where it was. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useFocus(() => element.current?.showModal());
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onCancel={(event) => {
        // The browser would close it, while it is still rendered.
        event.preventDefault();
        onClose?.();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {onClose && (
          <button type="button" class="quiet small" onClick={onClose}>
            Close
          </button>
        )}
      </header>
      {children}
    </dialog>
  );
}
