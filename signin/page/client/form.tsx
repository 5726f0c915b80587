import { type Signal, useSignal } from "@preact/signals";
import { createContext } from "preact";
import { useContext, useLayoutEffect, useRef, useState } from "preact/hooks";
import { fieldsOf, toSentence } from "./failures.ts";
import { type Field, FieldBlock } from "./fields.tsx";
import { CHANGED } from "./state.ts";
import { texts } from "./words.ts";

/** A form: its fields, its button, and what it does with the values. */
export interface FormParts {
  fields: readonly Field[];
  submit: string;
  /** Gets the fields by name, without the empty ones. Its failure is shown beside the field that it is about. `CHANGED` closes the form. */
  run(values: Record<string, string>): Promise<unknown>;
  /** Where a failure stands that is of no field. Without it, above the fields. */
  problem?: Signal<string>;
  look?: "primary" | "filled" | "filled danger-fill";
  /** Above the fields. */
  lead?: string;
}

/** Closes what a button has opened, by a further button beside that of a form. */
export const Close = createContext<(() => void) | undefined>(undefined);

/** A form whose faults are shown in the reader's language, each beside its field. */
export function Form({ fields, submit, run, problem: given, look = "filled", lead }: FormParts) {
  const element = useRef<HTMLFormElement>(null);
  const own = useSignal("");
  const problem = given ?? own;
  const close = useContext(Close);
  const [isBusy, setBusy] = useState(false);
  const [faults, setFaults] = useState<Readonly<Record<string, string | undefined>>>({});
  /** The field that takes the focus for its fault; the text that the server refused is selected. */
  const faulty = useRef<{ name: string; isRefused: boolean }>(undefined);
  useLayoutEffect(() => {
    if (!faulty.current) return;
    const input = inputOf(element.current, faulty.current.name);
    input.focus();
    if (faulty.current.isRefused) input.select();
    faulty.current = undefined;
  });
  const send = async () => {
    problem.value = "";
    const inputs = fields.map(({ name }) => inputOf(element.current, name));
    const found = await Promise.all(fields.map((field, at) => findFault(field, inputs[at])));
    const first = fields.find((_, at) => found[at] !== undefined);
    if (first) faulty.current = { name: first.name, isRefused: false };
    setFaults(Object.fromEntries(fields.map(({ name }, at) => [name, found[at]])));
    if (first) return;
    const values = fields.flatMap(({ name, toValue = trim }, at) => {
      const value = toValue(inputs[at]?.value ?? "");
      return value === "" ? [] : [[name, value] as const];
    });
    try {
      if ((await run(Object.fromEntries(values))) === CHANGED) close?.();
    } catch (error) {
      const name = fields.find((field) => fieldsOf(error).includes(field.name))?.name;
      if (name === undefined) problem.value = toSentence(error);
      else {
        faulty.current = { name, isRefused: true };
        setFaults({ [name]: toSentence(error) });
      }
    }
  };
  return (
    <form
      ref={element}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isBusy) return;
        setBusy(true);
        void send().finally(() => setBusy(false));
      }}
    >
      {lead && <p>{lead}</p>}
      {!given && <ProblemLine text={problem} />}
      {fields.map((field) => (
        <FieldBlock
          key={field.name}
          field={field}
          fault={faults[field.name]}
          // A fault is of the text that was sent.
          clear={() => setFaults({ ...faults, [field.name]: undefined })}
        />
      ))}
      <div class="actions">
        <button type="submit" class={look} aria-busy={isBusy || undefined}>
          {submit}
        </button>
        <CancelButton />
      </div>
    </form>
  );
}

/** The button that closes what another one has opened. */
export function CancelButton() {
  const close = useContext(Close);
  return close ? (
    <button type="button" onClick={close}>
      {texts.cancel}
    </button>
  ) : null;
}

/** A line for what went wrong, which may be empty. */
export function ProblemLine({ text }: { text: Signal<string> }) {
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}

const trim = (text: string) => text.trim();

function inputOf(form: HTMLFormElement | null, name: string): HTMLInputElement {
  const found = form?.elements.namedItem(name);
  if (!(found instanceof HTMLInputElement)) throw new Error(`The form has no ${name}.`);
  return found;
}

async function findFault(
  { findFault, needed = texts.needValue }: Field,
  input: HTMLInputElement | undefined,
): Promise<string | undefined> {
  if (findFault) return findFault(input?.value ?? "");
  return input?.validity.valid ? undefined : needed;
}
