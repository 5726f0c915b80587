import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type Action, Button } from "./action.tsx";
import { Failure } from "./load.tsx";

/** Fields, why they were refused, and the buttons. */
export function Form(props: {
  /** What the form does; `verb` says it. */
  action: Action;
  verb: string;
  /** Whether something is missing still. */
  isIncomplete?: boolean;
  /** Whether something is lost. */
  isDanger?: boolean;
  /** Leaves the form, which then begins with the focus in it, and gives it back. */
  onLeave?: () => void;
  children: ComponentChildren;
}) {
  const { action, verb, isIncomplete = false, isDanger = false, onLeave, children } = props;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!onLeave) return;
    const before = document.activeElement;
    const field = form.current?.querySelector<HTMLInputElement>("input, select, textarea");
    field?.focus();
    if (field?.type === "text") field.select();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <form
      ref={form}
      class="stack"
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        action.run();
      }}
    >
      {children}
      {action.error && <Failure error={action.error} />}
      <div class="row">
        <button
          type="submit"
          class={isDanger ? "primary danger" : "primary"}
          disabled={isIncomplete}
          aria-disabled={action.isBusy}
        >
          {verb}
        </button>
        {onLeave && <Button onClick={onLeave}>Cancel</Button>}
      </div>
    </form>
  );
}

interface FieldProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
  placeholder?: string | undefined;
  /** Whether what is typed is hidden. */
  isSecret?: boolean;
}

/** A line of text with its label. */
export function TextField({ label, value, onInput, placeholder, isSecret = false }: FieldProps) {
  return (
    <label class="field">
      <span class="muted small">{label}</span>
      <input
        {...(isSecret ? { type: "password" as const } : { type: "text" as const })}
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </label>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  /** Values and what is shown for them. */
  options: readonly (readonly [value: Value, text: string])[];
  value: Value;
  /** Whether the label is for screen readers alone. */
  isBare?: boolean;
  onChoose: (value: Value) => void;
}

/** A choice of one. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, options, value, isBare = false, onChoose } = props;
  const select = (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChoose(currentTarget.value as Value)}
    >
      {options.map(([name, text]) => (
        <option key={name} value={name}>
          {text}
        </option>
      ))}
    </select>
  );
  if (isBare) return select;
  return (
    <div class="field">
      <span class="muted small" aria-hidden="true">
        {label}
      </span>
      {select}
    </div>
  );
}

interface ChecksProps<Value extends string> {
  label: string;
  options: readonly (readonly [value: Value, text: string])[];
  chosen: readonly Value[];
  onChange: (chosen: Value[]) => void;
}

/** A choice of several. */
export function Checks<Value extends string>(props: ChecksProps<Value>) {
  const { label, options, chosen, onChange } = props;
  return (
    <fieldset class="field">
      <legend class="muted small">{label}</legend>
      {options.map(([value, text]) => (
        <label key={value} class="switch">
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={({ currentTarget }) => {
              const others = chosen.filter((it) => it !== value);
              onChange(currentTarget.checked ? [...others, value] : others);
            }}
          />
          <bdi>{text}</bdi>
        </label>
      ))}
    </fieldset>
  );
}
