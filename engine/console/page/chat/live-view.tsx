import { useMemo } from "preact/hooks";
import type { Workspace } from "../../../client/client.ts";
import { engine } from "../session.ts";
import { ActionButton } from "../ui/action-button.tsx";
import { formatDuration } from "../ui/format.ts";
import { Failure } from "../ui/states.tsx";
import { useAction } from "../ui/use-action.ts";
import { ApprovalCard } from "./approval-card.tsx";
import type { Conversation } from "./conversation.ts";
import { BLOCKS_PER_GROUP, BLOCKS_SHOWN_MAX } from "./limits.ts";
import type { LiveTurn } from "./live-turn.ts";
import { MarkdownDocument } from "./markdown/document.ts";
import { Markdown } from "./markdown/markdown.tsx";
import { storedSince } from "./rows.ts";
import { ToolCard } from "./tool-card.tsx";

interface LiveViewProps {
  conversation: Conversation;
  live: LiveTurn;
  workspace: Workspace;
}

/** A turn that runs: its tool calls, its text as it comes, and last what it asks: there the reader is. */
export function LiveView({ conversation, live, workspace }: LiveViewProps) {
  const stored = storedSince(conversation.messages.value, live.turn.userMessageUuid);
  const calls = live.calls.value.filter(({ toolCallId }) => !stored.calls.has(toolCallId));
  const retry = live.retry.value;
  return (
    <div class="live" aria-busy="true" data-turn={live.turn.uuid}>
      {calls.map((call) => (
        <ToolCard key={call.toolCallId} call={call} />
      ))}
      {!stored.isAnswered && <LiveText live={live} />}
      {live.approvals.value.map((approval) => (
        <ApprovalCard key={approval.uuid} approval={approval} workspace={workspace} />
      ))}
      {retry && (
        <p class="muted">
          {retry.reason} Attempt {retry.attempt + 1} begins in {formatDuration(retry.afterMs)}.
        </p>
      )}
    </div>
  );
}

function LiveText({ live }: { live: LiveTurn }) {
  const document = useMemo(() => new MarkdownDocument(), [live]);
  document.setText(live.text.value);
  const { blocks } = document;
  const surplus = Math.max(0, blocks.length - BLOCKS_SHOWN_MAX);
  // Whole groups, so that the others stay as they are.
  const hidden = Math.ceil(surplus / BLOCKS_PER_GROUP) * BLOCKS_PER_GROUP;
  if (blocks.length === 0) {
    return live.approvals.value.length === 0 ? <p class="thinking muted">Working</p> : null;
  }
  return (
    <article class="message assistant" aria-label="Assistant" data-parsed={document.parsed}>
      {hidden > 0 && <p class="muted">The beginning is shown when the answer is complete.</p>}
      <Markdown blocks={hidden > 0 ? blocks.slice(hidden) : blocks} />
    </article>
  );
}

/** Cancels the turn that runs. */
export function CancelButton({ live }: { live: LiveTurn }) {
  const cancelling = useAction(() => engine.turns.cancel(live.turn.uuid));
  return (
    <>
      <ActionButton action={cancelling}>Stop</ActionButton>
      {cancelling.error && <Failure error={cancelling.error} />}
    </>
  );
}
