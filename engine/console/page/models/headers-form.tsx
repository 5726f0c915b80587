import { useState } from "preact/hooks";
import { engine } from "../session.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import { Form } from "../ui/form.tsx";
import { Failure } from "../ui/states.tsx";
import { useAction } from "../ui/use-action.ts";
import { parseHeaderLines } from "./header-lines.ts";

/** Headers of requests to the provider: write-only, so the form is empty and replaces all of them. */
export function HeadersForm({ id, onDone }: { id: string; onDone: () => void }) {
  const [text, setText] = useState("");
  const [names, setNames] = useState<readonly string[]>();
  const store = async (headers: Record<string, string>) => {
    const stored = await engine.models.updateConfigurationHeaders(id, { headers });
    setText("");
    setNames(stored.names);
  };
  const save = useAction(() => store(parseHeaderLines(text)));
  const clear = useAction(() => store({}));
  return (
    <Form
      action={save}
      verb="Replace headers"
      isIncomplete={text.trim() === ""}
      leave="Close"
      onLeave={onDone}
    >
      <HeaderLines
        label="Headers of requests; they replace the stored ones"
        text={text}
        onInput={setText}
      />
      <div class="row">
        <span class="wrap muted" role="status">
          {toStoredNames(names)}
        </span>
        {names?.length !== 0 && (
          <ConfirmButton
            label="Remove all"
            question="Remove all headers of this model?"
            action={clear}
          />
        )}
      </div>
      {clear.error && <Failure error={clear.error} />}
    </Form>
  );
}

function toStoredNames(names: readonly string[] | undefined): string {
  if (names === undefined) return "Headers that are stored are never shown.";
  return names.length === 0 ? "No header is stored now." : `Stored: ${names.join(", ")}`;
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
