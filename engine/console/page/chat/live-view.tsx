import { useMemo, useRef } from "preact/hooks";
import { isReachable } from "../session.ts";
import { formatDuration } from "../ui/format.ts";
import { Waiting } from "../ui/load.tsx";
import { ApprovalCard } from "./approval-card.tsx";
import type { Conversation } from "./conversation.ts";
import { BLOCKS_PER_GROUP, BLOCKS_SHOWN_MAX } from "./limits.ts";
import type { LiveTurn } from "./live-turn.ts";
import { NO_TEXT, readBlocks } from "./markdown/blocks.ts";
import { Markdown } from "./markdown/markdown.tsx";
import { storedSince } from "./rows.ts";
import { Thinking } from "./text-view.tsx";
import { ToolCard } from "./tool-card.tsx";

/** A turn that runs: its tool calls, its text as it comes, and last what it asks: there the reader is. */
export function LiveView({ conversation, live }: { conversation: Conversation; live: LiveTurn }) {
  const { text, thinking, calls, approvals, retry } = live.progress.value;
  const messages = conversation.messages.value;
  const stored = useMemo(() => storedSince(messages, live.turn.userMessageUuid), [messages]);
  // A call that waits is in the question below.
  const shown = calls.filter(
    ({ toolCallId, state }) => state !== "waiting" && !stored.calls.has(toolCallId),
  );
  return (
    <div class="live" aria-busy="true" data-turn={live.turn.uuid}>
      {thinking && !stored.isAnswered && <Thinking text={thinking} />}
      {shown.map((call) => (
        <ToolCard key={call.toolCallId} call={call} />
      ))}
      {!stored.isAnswered && <LiveText text={text} isAsking={approvals.length > 0} />}
      {approvals.map((approval) => (
        <ApprovalCard key={approval.uuid} approval={approval} />
      ))}
      {!isReachable.value && <p class="muted">The answer continues when the engine is back.</p>}
      {retry && (
        <p class="muted">
          {retry.reason} Attempt {retry.attempt + 1} starts in {formatDuration(retry.afterMs)}.
        </p>
      )}
    </div>
  );
}

function LiveText({ text, isAsking }: { text: string; isAsking: boolean }) {
  const read = useRef(NO_TEXT);
  read.current = readBlocks(text, read.current);
  const { blocks } = read.current;
  const surplus = Math.max(0, blocks.length - BLOCKS_SHOWN_MAX);
  // Whole groups, so that the others stay as they are.
  const hidden = Math.ceil(surplus / BLOCKS_PER_GROUP) * BLOCKS_PER_GROUP;
  if (blocks.length === 0) {
    return isAsking || !isReachable.value ? null : <Waiting label="Thinking" />;
  }
  return (
    <article class="message assistant" aria-label="Assistant">
      <h2 class="visually-hidden">Answer</h2>
      {hidden > 0 && <p class="muted">The beginning appears when the answer is complete.</p>}
      <Markdown blocks={hidden > 0 ? blocks.slice(hidden) : blocks} />
    </article>
  );
}
