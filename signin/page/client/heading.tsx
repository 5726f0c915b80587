import { useLayoutEffect } from "preact/hooks";
import { byId } from "./written.ts";

/** The heading of a view. The focus goes there when the view appears, so that a screen reader reads it. */
export function Heading({ children }: { children: string }) {
  useLayoutEffect(focusHeading, []);
  return <h1 tabIndex={-1}>{children}</h1>;
}

/** Moves the focus to the heading, but for the first view of a visit. */
export function focusHeading(): void {
  const view = byId("view");
  if (view.hasAttribute("aria-busy")) return;
  view.querySelector("h1")?.focus();
  scrollTo(0, 0);
}
