import { useState } from "preact/hooks";
import { engine } from "../session.ts";
import { Form } from "../ui/form.tsx";
import { useAction } from "../ui/use-action.ts";
import { parseHeaderLines } from "./header-lines.ts";

/** Headers of requests to the provider: write-only, so the form is empty and replaces all of them. */
export function HeadersForm({ id, onDone }: { id: string; onDone: () => void }) {
  const [text, setText] = useState("");
  const [names, setNames] = useState<readonly string[]>();
  const save = useAction(async () => {
    const headers = parseHeaderLines(text);
    const stored = await engine.models.updateConfigurationHeaders(id, { headers });
    setText("");
    setNames(stored.names);
  });
  return (
    <Form
      action={save}
      verb={text.trim() === "" ? "Remove all headers" : "Replace headers"}
      leave="Close"
      onLeave={onDone}
    >
      <HeaderLines
        label="Headers of requests; they replace the stored ones"
        text={text}
        onInput={setText}
      />
      {names && (
        <p role="status" class="wrap">
          {names.length === 0 ? "No header is stored now." : `Stored: ${names.join(", ")}`}
        </p>
      )}
    </Form>
  );
}

/** A place for headers, one a line. */
export function HeaderLines({
  label,
  text,
  onInput,
}: {
  label: string;
  text: string;
  onInput: (text: string) => void;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <textarea
        class="secret-lines"
        rows={3}
        autocomplete="off"
        spellcheck={false}
        placeholder="X-Api-Key: …"
        value={text}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </label>
  );
}
