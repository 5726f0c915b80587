import { Component } from "preact";
import { useState } from "preact/hooks";
import type { DetailedTurn, Message, Turn } from "../../../client/client.ts";
import { hrefOf } from "../router.ts";
import { engine } from "../session.ts";
import { ActionButton, Button, useAction } from "../ui/action.tsx";
import { Ago } from "../ui/ago.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Form } from "../ui/form.tsx";
import { formatBytes, formatDuration, formatNumber } from "../ui/format.ts";
import { Failure, useLoad } from "../ui/load.tsx";
import { Picture } from "../ui/picture.tsx";
import type { Conversation } from "./conversation.ts";
import { Sources } from "./sources.tsx";
import { TextView, Thinking } from "./text-view.tsx";
import { parseToolRecord } from "./tool-call.ts";
import { ToolCard } from "./tool-card.tsx";
import { versionsOf } from "./versions.ts";

interface MessageProps {
  conversation: Conversation;
  message: Message;
  /** The turn that it is the answer of. */
  turn: DetailedTurn | undefined;
}

/** A stored message. It never changes, so it is rendered once, and again when its turn has ended. */
export class MessageView extends Component<MessageProps> {
  override shouldComponentUpdate({ message, turn }: MessageProps): boolean {
    return message.uuid !== this.props.message.uuid || turn?.endedAt !== this.props.turn?.endedAt;
  }

  override render(props: MessageProps) {
    const { role, content } = props.message;
    const call = role === "tool" ? parseToolRecord(content) : undefined;
    if (call) return <ToolCard call={call} />;
    if (role === "user") return <Question {...props} />;
    if (role === "assistant") return <Answer {...props} />;
    return (
      <article class="message muted" aria-label={role === "tool" ? "Tool" : "System"}>
        <TextView text={content} isMarkdown={false} />
      </article>
    );
  }
}

function Question({ conversation, message }: MessageProps) {
  const { uuid, content } = message;
  const edit = (isEdited: boolean) => {
    conversation.edited.value = isEdited ? uuid : undefined;
  };
  const isEdited = conversation.edited.value === uuid;
  return (
    <article class="message user" aria-label="You">
      {isEdited ? (
        <EditForm conversation={conversation} message={message} onDone={() => edit(false)} />
      ) : (
        <TextView text={content} isMarkdown={false} />
      )}
      <MessageAttachments uuid={uuid} />
      <footer class="row muted small">
        <Versions conversation={conversation} message={message} />
        <Button class="quiet" onClick={() => edit(true)}>
          Edit
        </Button>
        <CopyButton text={() => content} />
        <Ago at={message.createdAt} />
      </footer>
    </article>
  );
}

type VersionProps = Pick<MessageProps, "conversation" | "message">;

function EditForm({ conversation, message, onDone }: VersionProps & { onDone: () => void }) {
  const [text, setText] = useState(message.content);
  const send = useAction(() => conversation.replace(message, { content: text }).then(onDone));
  return (
    <Form action={send} verb="Send" isIncomplete={text.trim() === ""} onLeave={onDone}>
      <textarea
        aria-label="Edited message"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => event.key === "Escape" && onDone()}
      />
    </Form>
  );
}

/** The versions of a message, each in a chat of its own. */
function Versions({ conversation, message }: VersionProps) {
  const { uuid, relatives, thread } = conversation;
  const threads = versionsOf(relatives.value, uuid, message);
  const at = threads.indexOf(uuid);
  if (threads.length < 2 || !thread.value) return null;
  const workspaceUuid = thread.value.workspaceUuid;
  const link = (label: string, sign: string, to: string | undefined) =>
    to && (
      <a class="button quiet icon-only" aria-label={label} href={hrefOf("chat", workspaceUuid, to)}>
        {sign}
      </a>
    );
  return (
    <span class="row">
      {link("Previous version", "‹", threads[at - 1])}
      <span>
        {at + 1}/{threads.length}
      </span>
      {link("Next version", "›", threads[at + 1])}
    </span>
  );
}

function Answer({ conversation, message, turn }: MessageProps) {
  const { uuid, content } = message;
  const again = useAction(() => conversation.askAgain(uuid));
  const fork = useAction(() => conversation.fork(uuid));
  const error = again.error ?? fork.error;
  return (
    <article class="message assistant" aria-label="Assistant">
      <h2 class="visually-hidden">Answer</h2>
      {turn?.details?.reasoning?.text && <Thinking text={turn.details.reasoning.text} />}
      <TextView text={content} isMarkdown />
      {turn?.details?.sources && <Sources sources={turn.details.sources} />}
      {turn?.details?.context?.notices.map((notice) => (
        <p key={notice} class="muted small" role="note">
          {notice}
        </p>
      ))}
      <footer class="row muted small">
        <CopyButton text={() => content} />
        <ActionButton action={again} class="quiet">
          Ask again
        </ActionButton>
        <ActionButton action={fork} class="quiet">
          Fork
        </ActionButton>
        {turn && <span>{describeTurn(turn)} ·</span>}
        <Ago at={message.createdAt} />
      </footer>
      {error && <Failure error={error} />}
    </article>
  );
}

function describeTurn({ startedAt, endedAt, inputTokens, outputTokens }: DetailedTurn): string {
  const tookMs = endedAt === null ? undefined : Date.parse(endedAt) - Date.parse(startedAt);
  const parts = [
    tookMs !== undefined && formatDuration(tookMs),
    inputTokens !== null && `${formatNumber(inputTokens)} tokens read`,
    outputTokens !== null && `${formatNumber(outputTokens)} written`,
  ];
  return parts.filter(Boolean).join(", ");
}

const SENTENCES: Readonly<Record<string, string>> = {
  cancelled: "This answer was cancelled.",
  failed: "This answer failed.",
  interrupted: "The engine ended before this answer was complete.",
};

/** What became of a turn without an answer: how it ended, the text so far, and a way to ask again. */
export function OutcomeView({ turn, onAskAgain }: { turn: Turn; onAskAgain: () => Promise<void> }) {
  const { state, error, partialText } = turn;
  const asking = useAction(onAskAgain);
  const sentence = SENTENCES[state] ?? state;
  return (
    <section class={`outcome ${state}`} aria-label={sentence}>
      {partialText && <TextView text={partialText} isMarkdown />}
      <p>
        <strong>{sentence}</strong> {error !== null && <span class="wrap">{error}</span>}
      </p>
      <ActionButton action={asking}>Ask again</ActionButton>
      {asking.error && <Failure error={asking.error} />}
    </section>
  );
}

/** The files that came with a message; pictures are shown. */
function MessageAttachments({ uuid }: { uuid: string }) {
  const { value } = useLoad(uuid, (signal) => engine.messages.listAttachments(uuid, { signal }));
  if (!value || value.length === 0) return null;
  return (
    <ul class="attachments list row">
      {value.map(({ name, mediaType, size }, position) => (
        <li key={position}>
          {mediaType.startsWith("image/") ? (
            <Picture
              name={name}
              load={(signal) => engine.messages.getAttachment(uuid, String(position), { signal })}
            />
          ) : (
            <span class="chip">
              {name} <span class="muted">{formatBytes(size)}</span>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
