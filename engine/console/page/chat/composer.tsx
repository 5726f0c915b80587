import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { StartTurn } from "../../../client/client.ts";
import type { FallbackModel } from "../../../client/default-model.ts";
import { engine } from "../session.ts";
import { useFallbackModel, withFallbackModel } from "../ui/fallback-model.tsx";
import { formatBytes } from "../ui/format.ts";
import { Failure } from "../ui/states.tsx";
import { useAction } from "../ui/use-action.ts";
import { useLoad } from "../ui/use-load.ts";
import { faultOf, toSentFile } from "./attachments.ts";

interface ComposerProps {
  /** The model of the thread or its workspace; null leaves it to the engine. */
  defaultModelId: string | null;
  /** Starts a turn. @throws EngineError */
  onSend: (input: StartTurn) => Promise<void>;
  /** Takes the focus when it appears: what was typed into is gone. */
  isFocused?: boolean;
  /** What stands in the place of the send button while a turn runs. */
  running: ComponentChildren;
}

/** Where a message is written: Enter sends it, Shift and Enter break the line. */
export function Composer({ defaultModelId, onSend, isFocused, running }: ComposerProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (isFocused) field.current?.focus();
  }, []);
  const text = useSignal("");
  const files = useSignal<readonly File[]>([]);
  const chosen = useSignal<string | undefined>(undefined);
  const fallback = useFallbackModel();
  const fault = faultOf(files.value);
  const sending = useAction(async () => {
    const attachments = await Promise.all(files.value.map(toSentFile));
    const input = {
      content: text.value,
      ...(chosen.value === undefined ? {} : { modelId: chosen.value }),
      ...(attachments.length > 0 ? { fileContext: { attachments } } : {}),
    };
    await onSend(await withFallbackModel(input, defaultModelId));
    text.value = "";
    files.value = [];
  });
  const canSend = !running && !sending.isBusy && text.value.trim() !== "" && !fault;
  const addFiles = (added: FileList | null | undefined) => {
    if (added && added.length > 0) files.value = [...files.value, ...added];
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) sending.run();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        addFiles(event.dataTransfer?.files);
      }}
    >
      {sending.error && <Failure error={withDetails(sending.error)} />}
      {fault && <p class="failure">{fault}</p>}
      <Files files={files.value} onChange={(left) => (files.value = left)} />
      <textarea
        ref={field}
        aria-label="Message"
        placeholder="Ask something"
        data-focus="composer"
        rows={1}
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
        onPaste={(event) => addFiles(event.clipboardData?.files)}
        onKeyDown={(event) => {
          // Enter also ends the composition of a character.
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          if (canSend) sending.run();
        }}
      />
      <div class="row spread">
        <span class="row">
          <AttachButton onAdd={addFiles} />
          <ModelChoice
            value={chosen.value ?? defaultModelId}
            fallback={fallback.value}
            onChoose={(id) => (chosen.value = id)}
          />
        </span>
        {running ?? (
          <button type="submit" class="primary" disabled={!canSend}>
            Send
          </button>
        )}
      </div>
    </form>
  );
}

function Files({ files, onChange }: { files: readonly File[]; onChange: (left: File[]) => void }) {
  if (files.length === 0) return null;
  return (
    <ul class="attachments">
      {files.map((file, at) => (
        <li key={at}>
          <span class="wrap">{file.name}</span> <span class="muted">{formatBytes(file.size)}</span>
          <button
            type="button"
            class="quiet small"
            aria-label={`Remove ${file.name}`}
            onClick={() => onChange(files.filter((it) => it !== file))}
          >
            Remove
          </button>
        </li>
      ))}
    </ul>
  );
}

function AttachButton({ onAdd }: { onAdd: (files: FileList | null) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        data-attach
        onChange={({ currentTarget }) => {
          onAdd(currentTarget.files);
          // The same file can be chosen again.
          currentTarget.value = "";
        }}
      />
      <button type="button" class="quiet" onClick={() => input.current?.click()}>
        Attach
      </button>
    </>
  );
}

interface ModelChoiceProps {
  value: string | null;
  /** What answers if no model is chosen; null is echo. */
  fallback: FallbackModel | null | undefined;
  onChoose: (id: string) => void;
}

function ModelChoice({ value, fallback, onChoose }: ModelChoiceProps) {
  const { value: models } = useLoad("models", (signal) => engine.models.list({ signal }));
  const isKnown = models?.some(({ id }) => id === value);
  return (
    <select
      aria-label="Model"
      value={isKnown ? (value ?? "") : ""}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    >
      {!isKnown && <option value="">{fallbackLabel(fallback)}</option>}
      {models?.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

function fallbackLabel(fallback: FallbackModel | null | undefined): string {
  if (fallback === null) return "Echo: no model is connected";
  if (fallback === undefined) return "Default model";
  return `${fallback.name} (${fallback.isSet ? "default" : "connected first"})`;
}

/** The engine's own words: what is wrong, and with which field. */
function withDetails(error: Error & { details?: unknown }): Error {
  return typeof error.details === "string" ? new Error(`${error.message} ${error.details}`) : error;
}
