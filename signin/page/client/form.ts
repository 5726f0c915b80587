import { Refusal } from "./api.ts";
import { type Child, h } from "./dom.ts";
import type { Field } from "./fields.ts";
import { texts } from "./words.ts";

/** A form: its fields, its button, and what it does with the values. */
export interface FormParts {
  fields: readonly Field[];
  submit: string;
  /** Gets the fields by name, without the empty ones. Its Refusal is shown beside the field that it is about. */
  run(values: Record<string, string>): Promise<void>;
  /** Where a failure stands that is of no field. Without it, above the fields. */
  problem?: HTMLElement;
  /** Beside the button. */
  beside?: readonly Child[];
  /** How its button looks; by default as the one of the view. */
  look?: "primary" | "filled" | "filled danger-fill";
}

// Failures that are about one field.
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  invalid_credentials: ["password", "current_password"],
  invalid_password: ["password", "current_password"],
  invalid_code: ["code"],
};

/** A form whose faults are shown in the reader's language, each beside its field. */
export function form(parts: FormParts): HTMLFormElement {
  const { fields, run, beside = [], look = "primary" } = parts;
  const { problem = problemLine() } = parts;
  const button = h("button", { class: look }, parts.submit);
  const show = (error: unknown) => {
    const names = fieldsOf(error);
    const field = fields.find(({ input }) => names.includes(input.name));
    if (!field) {
      problem.textContent = toSentence(error);
      return;
    }
    field.show(toSentence(error));
    field.input.focus();
    field.input.select();
  };
  const submit = async () => {
    problem.textContent = "";
    if (!(await areGood(fields))) return;
    const sent = fields.flatMap((field) => {
      const value = field.value();
      return value === "" ? [] : [[field.input.name, value] as const];
    });
    await run(Object.fromEntries(sent)).catch(show);
  };
  return h(
    "form",
    {
      novalidate: true,
      onsubmit: (event) => {
        event.preventDefault();
        if (button.getAttribute("aria-busy") === "true") return;
        button.setAttribute("aria-busy", "true");
        void submit().finally(() => button.removeAttribute("aria-busy"));
      },
    },
    !parts.problem && problem,
    ...fields.map(({ element }) => element),
    h("div", { class: "actions" }, button, ...beside),
  );
}

/** Shows the fault of each field; the focus goes to the first one. */
async function areGood(fields: readonly Field[]): Promise<boolean> {
  const faults = await Promise.all(fields.map((field) => field.fault()));
  for (const [at, field] of fields.entries()) field.show(faults[at]);
  const first = fields.find((_, at) => faults[at] !== undefined);
  first?.input.focus();
  return first === undefined;
}

function fieldsOf(error: unknown): readonly string[] {
  if (!(error instanceof Refusal)) return [];
  const { field, code = "" } = error;
  return field === undefined ? (FIELDS[code] ?? []) : [field, `new_${field}`];
}

/** An empty line for what went wrong. */
export function problemLine(): HTMLElement {
  return h("p", { class: "problem", role: "alert" });
}

/** What went wrong, for the reader. */
export function toSentence(error: unknown): string {
  return error instanceof Refusal ? error.message : texts.somethingWrong;
}
