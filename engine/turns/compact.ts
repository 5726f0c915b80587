import { toIsoTime } from "../../shared/clock.ts";
import { textTokens } from "../chat/context-window.ts";
import { COMPACT_KEPT_EXCHANGES } from "../chat/limits.ts";
import type { ChatDeps } from "../chat/ports.ts";
import { summarize } from "../chat/summarize.ts";
import {
  findEndBefore,
  findMessageAt,
  findSummary,
  putSummary,
  type StoredSummary,
} from "../chat/summary-store.ts";
import type { WorkspaceRow } from "../db/schema.ts";
import { conflict, invalid, notFound } from "../errors.ts";
import type { ThreadInWorkspace } from "../threads/wire.ts";
import { askBeside } from "./ask-beside.ts";
import type { ThreadSummary } from "./wire.ts";

interface Place {
  thread: ThreadInWorkspace;
  workspace: WorkspaceRow;
}

/**
 * Summarizes all of a thread but its newest exchanges, by its model.
 * @throws EngineError `invalid` if there is nothing to summarize or no model, `provider` if the model fails, `conflict` if a turn
 * summarized it meanwhile
 */
export async function compactThread(
  deps: ChatDeps,
  { thread, workspace }: Place,
  signal: AbortSignal,
): Promise<ThreadSummary> {
  const model = await deps.chat.resolveModel(deps, {
    requested: undefined,
    threadDefault: thread.defaultModelId,
    workspaceDefault: workspace.defaultModelId,
  });
  if (!model.canSummarize) throw invalid("The thread has no model that can summarize it.");
  const previous = await findSummary(deps.db, thread.id);
  const through = await findEndBefore(deps.db, thread.id, COMPACT_KEPT_EXCHANGES);
  if (through === undefined || through <= (previous?.coversThrough ?? "")) {
    throw invalid("There is nothing to summarize: only the newest messages are left.");
  }
  return askBeside(deps, { thread, model: model.id, signal }, async (onUsage) => {
    const { window: contextWindow } = await model.window(signal);
    const summarizer = { model: await model.create(contextWindow), contextWindow, signal, onUsage };
    const text = await summarize(deps.db, summarizer, { threadId: thread.id, previous, through });
    const tokens = textTokens(text);
    const before = previous?.historyAfter ?? null;
    const historyAfter = before !== null && before > through ? before : through;
    const createdAt = toIsoTime(deps.clock.now());
    const summary = { historyAfter, text, tokens, coversThrough: through, createdAt };
    if (!(await putSummary(deps.db, thread.id, { ...summary, before }))) {
      throw conflict("The thread was summarized or deleted meanwhile.");
    }
    return await toThreadSummary(deps, thread, summary);
  });
}

/** The summary of a thread as it is shown. @throws EngineError `not_found` if there is none */
export async function toThreadSummary(
  { db }: Pick<ChatDeps, "db">,
  thread: Pick<ThreadInWorkspace, "id">,
  stored: StoredSummary | undefined,
): Promise<ThreadSummary> {
  const { text = null, tokens, coversThrough, createdAt = "" } = stored ?? {};
  if (text === null) throw notFound("Summary");
  const throughMessageUuid = await findMessageAt(db, thread.id, coversThrough ?? "");
  if (throughMessageUuid === undefined) throw notFound("Summary");
  return { text, throughMessageUuid, tokens: tokens ?? 0, createdAt };
}
