import { useEffect, useId, useMemo, useRef } from "preact/hooks";
import type { SentContext, StartTurn } from "../../../client/client.ts";
import type { FallbackModel } from "../../../client/default-model.ts";
import { engine } from "../session.ts";
import { ActionButton, IconButton, useAction } from "../ui/action.tsx";
import { fallbackModel, models, withFallbackModel } from "../ui/fallback-model.tsx";
import { Choice } from "../ui/form.tsx";
import { formatBytes } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { Failure } from "../ui/load.tsx";
import type { LiveTurn } from "./live-turn.ts";
import { Suggestions } from "./mentions.tsx";
import { WindowRing } from "./window-ring.tsx";
import { EFFORTS, faultOf, Writing } from "./writing.ts";

/** Where a message is written: Enter sends it, Shift and Enter break the line, `@` names a file. */
export function Composer(props: {
  /** What the draft is kept under. */
  draftKey: string;
  /** The model of the thread or its workspace; null leaves it to the engine. */
  defaultModelId: string | null;
  /** Starts a turn. @throws EngineError */
  onSend: (input: StartTurn) => Promise<void>;
  /** Takes the focus when it appears. */
  isFocused?: boolean;
  /** The turn that runs; Escape and a button stop it. */
  running: LiveTurn | undefined;
  /** What the last answer had in the window of its model. */
  context?: SentContext | null | undefined;
  /** The key ↑ in an empty field. */
  onEditLast?: () => void;
}) {
  const { draftKey, defaultModelId, running } = props;
  const writing = useMemo(() => new Writing(draftKey), [draftKey]);
  const { text, files, modelId, effort } = writing;
  const fault = faultOf(files.value);
  const sending = useAction(async () => {
    await props.onSend(await withFallbackModel(await writing.toInput(), defaultModelId));
    writing.clear();
  });
  const stopping = useAction(async () => running && engine.turns.cancel(running.turn.uuid));
  const canSend = !running && !sending.isBusy && text.value.trim() !== "" && !fault;
  const error = sending.error ?? stopping.error;
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
        writing.addFiles(event.dataTransfer?.files);
      }}
    >
      {error && <Failure error={error} />}
      {fault && <p class="failure">{fault}</p>}
      <div class="composer-box stack">
        <Files files={files.value} onChange={(left) => (files.value = left)} />
        <MessageField
          writing={writing}
          isFocused={props.isFocused}
          onSend={() => canSend && sending.run()}
          onStop={running && stopping.run}
          onEditLast={props.onEditLast}
        />
        <div class="row">
          <AttachButton onAdd={(added) => writing.addFiles(added)} />
          <ModelChoice
            value={modelId.value ?? defaultModelId}
            onChoose={(id) => (modelId.value = id)}
          />
          <Choice
            label="Thinking"
            isBare
            options={EFFORTS}
            value={effort.value}
            onChoose={(chosen) => (effort.value = chosen)}
          />
          <span class="grow" />
          {props.context && <WindowRing context={props.context} />}
          {running ? (
            <ActionButton action={stopping}>Stop</ActionButton>
          ) : (
            <button
              type="submit"
              class="primary icon-only"
              aria-label="Send"
              title="Send (Enter)"
              disabled={!canSend}
            >
              <Icon name="send" />
            </button>
          )}
        </div>
      </div>
    </form>
  );
}

function MessageField(props: {
  writing: Writing;
  isFocused: boolean | undefined;
  onSend: () => void;
  /** Undefined where nothing runs. */
  onStop: (() => void) | undefined;
  onEditLast: (() => void) | undefined;
}) {
  const { writing, isFocused, onSend, onStop, onEditLast } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const keys = useRef<(key: string) => boolean>(undefined);
  const listId = useId();
  const { text, naming } = writing;
  useEffect(() => {
    if (isFocused) field.current?.focus();
  }, []);
  const act = ({ key, shiftKey }: KeyboardEvent): boolean => {
    if (naming.value !== undefined && keys.current?.(key)) return true;
    if (key === "Escape" && naming.value !== undefined) naming.value = undefined;
    else if (key === "Escape" && onStop) onStop();
    else if (key === "ArrowUp" && text.value === "" && onEditLast) onEditLast();
    else if (key === "Enter" && !shiftKey) onSend();
    else return false;
    return true;
  };
  return (
    <>
      {naming.value !== undefined && (
        <Suggestions
          key={naming.value}
          id={listId}
          query={naming.value}
          keys={keys}
          onChoose={(mention) => {
            const at = writing.mention(mention, field.current?.selectionEnd ?? 0);
            queueMicrotask(() => field.current?.setSelectionRange(at, at));
          }}
        />
      )}
      <textarea
        ref={field}
        aria-label="Message"
        aria-controls={naming.value === undefined ? undefined : listId}
        placeholder="Ask a question, or type @ to mention a file"
        rows={1}
        value={text.value}
        onInput={({ currentTarget }) =>
          writing.write(currentTarget.value, currentTarget.selectionEnd)
        }
        onBlur={() => (naming.value = undefined)}
        onPaste={(event) => writing.addFiles(event.clipboardData?.files)}
        onKeyDown={(event) => {
          // Enter also ends the composition of a character.
          if (!event.isComposing && act(event)) event.preventDefault();
        }}
      />
    </>
  );
}

function Files({ files, onChange }: { files: readonly File[]; onChange: (left: File[]) => void }) {
  if (files.length === 0) return null;
  return (
    <ul class="attachments list row">
      {files.map((file, at) => (
        <li key={at} class="chip">
          <span class="wrap">{file.name}</span> <span class="muted">{formatBytes(file.size)}</span>
          <IconButton
            icon="close"
            label={`Remove ${file.name}`}
            onClick={() => onChange(files.filter((it) => it !== file))}
          />
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
        onChange={({ currentTarget }) => {
          onAdd(currentTarget.files);
          // The same file can be chosen again.
          currentTarget.value = "";
        }}
      />
      <IconButton icon="attach" label="Attach files" onClick={() => input.current?.click()} />
    </>
  );
}

/** The models, before them what answers if none is chosen or the chosen one is gone. */
function ModelChoice(props: { value: string | null; onChoose: (id: string) => void }) {
  const options = (models.value ?? []).map(({ id, name }) => [id, name] as const);
  const known = options.find(([id]) => id === props.value);
  const fallback = ["", fallbackLabel(fallbackModel.value)] as const;
  return (
    <Choice
      label="Model"
      isBare
      options={known ? options : [fallback, ...options]}
      value={known?.[0] ?? ""}
      onChoose={props.onChoose}
    />
  );
}

/** What answers if no model is chosen; null is echo. */
function fallbackLabel(fallback: FallbackModel | null | undefined): string {
  if (fallback === null) return "Echo: no model is connected";
  if (fallback === undefined) return "Default model";
  return `${fallback.name} (${fallback.isSet ? "default" : "connected first"})`;
}
