import type { ComponentChildren, FunctionComponent, JSX, Ref, TargetedInputEvent } from "preact";
import { useId, useState } from "preact/hooks";
import { EMAIL_CODE_DIGITS, LONG_CODE_CHARACTERS } from "../../limits.ts";
import { parseCode } from "../../passwords/codes.ts";
import { parseSecondFactor } from "../../second-factor/parse.ts";
import { Icon } from "./icon.tsx";
import { texts } from "./words.ts";

// A recovery code with as many blanks or hyphens.
const FACTOR_CHARACTERS_MAX = 32;

/** One field of a form: what is named here, and further attributes of its input. */
export interface Field {
  name: string;
  label: string;
  /** Shown if the field is required and empty, or not of its kind. */
  needed?: string;
  /** What the server gets for the text; by default without blanks at its ends. */
  toValue?(text: string): string;
  /** What is wrong with the text; by default what the browser finds. */
  findFault?(text: string): Promise<string | undefined> | string | undefined;
  /** Follows the text as it is typed. */
  Hint?: FunctionComponent<{ id: string; text: string }>;
  /** At the end of the label's line. */
  aside?: ComponentChildren;
  /** Whether a button shows what is typed. */
  canReveal?: boolean;
  type?: "email" | "password";
  class?: string;
  autocomplete?: string;
  autocapitalize?: "characters";
  defaultValue?: string;
  maxLength?: number;
  placeholder?: string;
  required?: boolean;
  spellcheck?: boolean;
  inputRef?: Ref<HTMLInputElement>;
  onFocus?(): void;
  onInput?(event: TargetedInputEvent<HTMLInputElement>): void;
}

interface FieldProps {
  field: Field;
  /** What is wrong with it. */
  fault: string | undefined;
  /** Called as its text changes. */
  clear(): void;
}

/** A field's label, its input, and what is wrong with it, in one block. */
export function FieldBlock({ field, fault, clear }: FieldProps) {
  const { label, needed, toValue, findFault, Hint, aside, canReveal, inputRef, ...rest } = field;
  const id = useId();
  const [text, setText] = useState("");
  const [isRevealed, setRevealed] = useState(false);
  const describedBy = [fault !== undefined && `${id}-fault`, Hint && `${id}-hint`].filter(Boolean);
  const attributes = {
    ...rest,
    type: isRevealed ? "text" : (rest.type ?? "text"),
    "aria-invalid": fault !== undefined || undefined,
    "aria-describedby": describedBy.join(" ") || undefined,
    onInput: (event: TargetedInputEvent<HTMLInputElement>) => {
      rest.onInput?.(event);
      setText(event.currentTarget.value);
      clear();
    },
    // Preact has a type for each kind of input, and none for any of them.
  } as JSX.IntrinsicElements["input"];
  return (
    <div class="field">
      <div class="label">
        <label for={id}>{label}</label>
        {aside}
      </div>
      <div class="input">
        <input ref={inputRef} id={id} {...attributes} />
        {canReveal && (
          <button
            type="button"
            class="reveal"
            title={texts.showPassword}
            aria-label={texts.showPassword}
            aria-pressed={isRevealed}
            onClick={() => setRevealed(!isRevealed)}
          >
            <Icon name={isRevealed ? "eyeOff" : "eye"} />
          </button>
        )}
      </div>
      {Hint && <Hint id={`${id}-hint`} text={text} />}
      <p id={`${id}-fault`} class="fault" role="alert">
        {fault}
      </p>
    </div>
  );
}

/** An e-mail address. `autocomplete` with `webauthn` offers passkeys, too. */
export function emailField(autocomplete: string, parts: Partial<Field> = {}): Field {
  return {
    name: "email",
    label: texts.email,
    needed: texts.needEmail,
    type: "email",
    autocomplete,
    required: true,
    spellcheck: false,
    ...parts,
  };
}

/** A mailed code, short or long, pasted with blanks or without. */
export function codeField(): Field {
  const toValue = (text: string) => parseCode(text) ?? "";
  return {
    name: "code",
    label: texts.code,
    toValue,
    findFault: (text) => (toValue(text) === "" ? texts.needCode : undefined),
    autocomplete: "one-time-code",
    autocapitalize: "characters",
    spellcheck: false,
    class: "code",
    placeholder: "0000 0000",
    onInput: ({ currentTarget: input }) => {
      const kept = keepCode(input.value);
      if (kept !== input.value) input.value = kept;
    },
  };
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

/** The second factor of a sign-in or a proof: a code of the app, or a recovery code. */
export function factorField(): Field {
  return {
    name: "second_factor",
    label: texts.factorField,
    findFault: (text) => (parseSecondFactor(text) ? undefined : texts.needFactor),
    autocomplete: "one-time-code",
    autocapitalize: "characters",
    spellcheck: false,
    class: "code",
    placeholder: "000000",
    maxLength: FACTOR_CHARACTERS_MAX,
  };
}

/** The name of a person. */
export function nameField(defaultValue = ""): Field {
  const label = texts.nameOptional;
  return { name: "display_name", label, defaultValue, autocomplete: "name", maxLength: 100 };
}

/** The password of an account, never trimmed, with a button that shows it. */
export function passwordField(label: string, parts: Partial<Field> = {}): Field {
  return {
    name: "password",
    label,
    needed: texts.needPassword,
    toValue: (text) => text,
    canReveal: true,
    type: "password",
    autocomplete: "current-password",
    required: true,
    ...parts,
  };
}
