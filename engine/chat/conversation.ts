import { toIsoTime } from "../../shared/clock.ts";
import { type LanguageModel, ModelFailure, type ModelMessage } from "../models/language-model.ts";
import { countNewestWithin, plannedTokens, sumTokens, textTokens } from "./context-window.ts";
import { failureText } from "./failure.ts";
import { type HistoryEntry, loadHistory } from "./history.ts";
import { SUMMARY_AT_SHARE, SUMMARY_DOWN_TO_SHARE } from "./limits.ts";
import { summarize, summaryTokensMax } from "./summarize.ts";
import { findSummary, putSummary, type StoredSummary } from "./summary-store.ts";
import type { TurnContext } from "./turn-context.ts";

/** What was said before a turn: the newest messages, and a summary of the rest. */
export interface Conversation {
  summary: string | undefined;
  /** Oldest first. */
  history: ModelMessage[];
  /** Sentences for the user. */
  notices: string[];
}

interface ConversationRequest {
  /** Undefined if it never summarizes. */
  model: LanguageModel | undefined;
  contextWindow: number;
  /** Of instructions, tools and question. */
  fixedTokens: number;
  /** When the turn's user message was stored. */
  before: string;
  acceptsAttachments: boolean;
}

/**
 * Loads a conversation. If it takes too large a share of the window, its oldest messages are summarized first. If that fails they
 * are left out at the same place, so that the beginning of what is sent stays the same in the next turns.
 * @throws the reason of the signal
 */
export async function loadConversation(
  turn: TurnContext,
  request: ConversationRequest,
): Promise<Conversation> {
  const { deps, thread } = turn;
  const stored = await findSummary(deps.db, thread.id);
  const planned = plannedTokens(request.contextWindow);
  const entries = await loadHistory(deps, {
    threadId: thread.id,
    before: request.before,
    after: stored?.historyAfter ?? "",
    tokensMax: planned,
    acceptsAttachments: request.acceptsAttachments,
  });
  const whole = { ...toConversation(stored, entries), notices: [] };
  const { model, fixedTokens } = request;
  const summaryTokens = textTokens(whole.summary ?? "");
  const taken = fixedTokens + summaryTokens + sumTokens(whole.history);
  if (!model || taken <= planned * SUMMARY_AT_SHARE) return whole;
  const room =
    planned * SUMMARY_DOWN_TO_SHARE - fixedTokens - summaryTokensMax(request.contextWindow);
  const kept = newestWithin(entries, room);
  const through = entries[entries.length - kept.length - 1]?.createdAt;
  if (through === undefined) return whole;
  const { summary, notices } = await shorten(turn, { ...request, model }, { stored, through });
  return { ...toConversation(summary, kept), notices };
}

function toConversation(stored: StoredSummary | undefined, entries: readonly HistoryEntry[]) {
  return { summary: stored?.text ?? undefined, history: entries.map(({ message }) => message) };
}

/** The newest exchanges that fit; what is kept begins with a question. */
function newestWithin(entries: readonly HistoryEntry[], tokensMax: number): HistoryEntry[] {
  const messages = entries.map(({ message }) => message);
  const from = entries.length - countNewestWithin(messages, tokensMax);
  const kept = entries.slice(from);
  if (from === 0) return kept;
  const question = kept.findIndex(({ message }) => message.role === "user");
  return question < 0 ? [] : kept.slice(question);
}

async function shorten(
  { deps, thread, signal, journal }: TurnContext,
  { model, contextWindow }: { model: LanguageModel; contextWindow: number },
  { stored, through }: { stored: StoredSummary | undefined; through: string },
): Promise<{ summary: StoredSummary; notices: string[] }> {
  const createdAt = toIsoTime(deps.clock.now());
  const before = stored?.historyAfter ?? null;
  const put = (summary: StoredSummary) => putSummary(deps.db, thread.id, { ...summary, before });
  try {
    const onUsage = journal.onUsage.bind(journal);
    const summarizer = { model, contextWindow, signal, onUsage };
    const range = { threadId: thread.id, previous: stored, through };
    const text = await summarize(deps.db, summarizer, range);
    const tokens = textTokens(text);
    const summary = { historyAfter: through, text, tokens, coversThrough: through, createdAt };
    await put(summary);
    return { summary, notices: [] };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ModelFailure)) throw error;
    const reason = failureText(error);
    deps.log.warn({ thread: thread.uuid, reason }, "A conversation was not summarized.");
    const { text = null, tokens = null, coversThrough = null } = stored ?? {};
    const summary = { text, tokens, coversThrough, createdAt, historyAfter: through };
    await put(summary);
    const notice = `The oldest messages were left out, as they could not be summarized: ${reason}`;
    return { summary, notices: [notice] };
  }
}
