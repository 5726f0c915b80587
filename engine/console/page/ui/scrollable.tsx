import type { ComponentChildren } from "preact";

/** A place that scrolls, also with the keys. */
export function Scrollable({
  label,
  class: name = "",
  children,
}: {
  label: string;
  class?: string;
  children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: only a focused place scrolls with the keys.
    <section class={`scroll ${name}`} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
