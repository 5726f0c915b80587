import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { IconButton } from "./action.tsx";

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
  useEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
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
      <header class="row spread">
        <h2 id={id}>{title}</h2>
        {onClose && <IconButton icon="close" label="Close" onClick={onClose} />}
      </header>
      {children}
    </dialog>
  );
}
