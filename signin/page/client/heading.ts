import { h } from "./dom.ts";

/** The heading of a view. The focus goes there when the view appears, so that a screen reader reads it. */
export function heading(text: string): HTMLElement {
  return h("h1", { tabindex: -1 }, text);
}
