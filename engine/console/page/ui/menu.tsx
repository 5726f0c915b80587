import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Button } from "./action.tsx";

interface MenuProps {
  /** What a screen reader says of the button. */
  label: string;
  /** What the button shows. */
  text: ComponentChildren;
  class?: string;
  /** Buttons and links; a press of one closes the menu. */
  children: ComponentChildren;
}

/** A button that opens a list of things to do. */
export function Menu({ label, text, class: name = "quiet", children }: MenuProps) {
  const id = useId();
  return (
    <>
      <Button class={name} aria-label={label} popoverTarget={id}>
        {text}
      </Button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: its buttons and links take the keys. */}
      <fieldset
        id={id}
        popover="auto"
        class="menu"
        aria-label={label}
        onClick={({ currentTarget, target }) => {
          if (target instanceof Element && target.closest("a, button")) currentTarget.hidePopover();
        }}
      >
        {children}
      </fieldset>
    </>
  );
}
