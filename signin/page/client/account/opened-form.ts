import { h } from "../dom.ts";
import { type FormParts, form } from "../form.ts";
import { texts } from "../words.ts";

/** The button that closes what a button of a row has opened. */
export function cancelButton(close: () => void): HTMLElement {
  return h("button", { type: "button", onclick: close }, texts.cancel);
}

/** A form that a button of a row has opened. */
export function openedForm(close: (() => void) | undefined, parts: FormParts): HTMLElement {
  return form({ look: "filled", ...parts, beside: [close && cancelButton(close)] });
}
