import { EMAIL_CODE_DIGITS, LONG_CODE_CHARACTERS } from "../../limits.ts";
import { parseCode } from "../../passwords/codes.ts";
import { h, icon } from "./dom.ts";
import { texts } from "./words.ts";

/** One field of a form: its label, its input, and what is wrong with it, in one block. */
export interface Field {
  element: HTMLElement;
  input: HTMLInputElement;
  /** What the server gets. */
  value(): string;
  /** What is wrong with the value; undefined where it can be sent. */
  fault(): Promise<string | undefined> | string | undefined;
  /** Shows what is wrong, or that nothing is. */
  show(fault: string | undefined): void;
}

interface FieldParts {
  name: string;
  label: string;
  attributes: Readonly<Record<string, string | number | boolean>>;
  /** Shown where the field is required and empty, or not of its kind. */
  needed?: string;
  hint?: HTMLElement;
  /** At the end of the label's line. */
  aside?: Node;
  /** Within the frame of the input. */
  button?: Node;
}

export function field(parts: FieldParts): Field {
  const id = `${parts.name}-${Math.random().toString(36).slice(2)}`;
  const { hint, needed = texts.needValue } = parts;
  const input = h("input", { id, name: parts.name, ...parts.attributes });
  const fault = h("p", { id: `${id}-fault`, class: "fault", role: "alert" });
  if (hint) hint.id = `${id}-hint`;
  const describe = (isFaulty: boolean) => {
    const ids = [isFaulty && fault.id, hint?.id].filter(Boolean).join(" ");
    if (ids) input.setAttribute("aria-describedby", ids);
    else input.removeAttribute("aria-describedby");
  };
  describe(false);
  const show = (text: string | undefined) => {
    fault.textContent = text ?? "";
    if (text === undefined) input.removeAttribute("aria-invalid");
    else input.setAttribute("aria-invalid", "true");
    describe(text !== undefined);
  };
  // A fault is of the value that was sent.
  input.addEventListener("input", () => show(undefined));
  return {
    element: h(
      "div",
      { class: "field" },
      h("div", { class: "label" }, h("label", { for: id }, parts.label), parts.aside),
      h("div", { class: "input" }, input, parts.button),
      hint,
      fault,
    ),
    input,
    value: () => input.value.trim(),
    fault: () => (input.validity.valid ? undefined : needed),
    show,
  };
}

/** An e-mail address. `autocomplete` with `webauthn` offers passkeys, too. */
export function emailField(
  autocomplete: string,
  { label = texts.email, value = "" }: { label?: string; value?: string } = {},
): Field {
  return field({
    name: "email",
    label,
    needed: texts.needEmail,
    attributes: { type: "email", autocomplete, value, required: true, spellcheck: "false" },
  });
}

/** A mailed code, short or long, pasted with blanks or without. */
export function codeField(): Field {
  const made = field({
    name: "code",
    label: texts.code,
    needed: texts.needCode,
    attributes: {
      autocomplete: "one-time-code",
      autocapitalize: "characters",
      spellcheck: "false",
      class: "code",
      placeholder: "0000 0000",
    },
  });
  const { input } = made;
  input.addEventListener("input", () => {
    const kept = keepCode(input.value);
    if (kept !== input.value) input.value = kept;
  });
  const value = () => parseCode(input.value) ?? "";
  return { ...made, value, fault: () => (value() === "" ? texts.needCode : undefined) };
}

/** As much as a code can have, beside blanks and hyphens: a short one begins with a digit. */
function keepCode(text: string): string {
  const max = /^[\s-]*\d/.test(text) ? EMAIL_CODE_DIGITS : LONG_CODE_CHARACTERS;
  let characters = 0;
  let end = 0;
  for (; end < text.length && characters <= max; end += 1) {
    if (!/[\s-]/.test(text.charAt(end))) characters += 1;
  }
  return characters > max ? text.slice(0, end - 1) : text;
}

/** The password of an account, never trimmed, with a button that shows it. */
export function passwordField(
  label: string,
  parts: { autocomplete: string; name?: string; hint?: HTMLElement; aside?: Node },
): Field {
  const { autocomplete, name = "password", ...rest } = parts;
  const button = h("button", { type: "button", class: "reveal", "aria-pressed": "false" });
  const made = field({
    ...rest,
    name,
    label,
    button,
    needed: texts.needPassword,
    attributes: { type: "password", autocomplete, required: true },
  });
  const { input } = made;
  const reveal = (isShown: boolean) => {
    input.type = isShown ? "text" : "password";
    button.replaceChildren(icon(isShown ? "eyeOff" : "eye"));
    button.setAttribute("aria-label", texts.showPassword);
    button.setAttribute("aria-pressed", String(isShown));
    button.title = texts.showPassword;
  };
  reveal(false);
  button.addEventListener("click", () => reveal(input.type === "password"));
  return { ...made, value: () => input.value };
}
