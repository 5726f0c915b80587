import { h } from "../dom.ts";
import { texts } from "../words.ts";

/** The button that closes an opened form. */
export function cancelButton(close: () => void): HTMLElement {
  return h("button", { type: "button", onclick: close }, texts.cancel);
}
