import type { Database } from "../../shared/database.ts";
import { listHistoryBefore } from "../messages/store.ts";
import type { ModelMessage } from "../models/language-model.ts";
import { messageTokens } from "./context-window.ts";
import { HISTORY_FIRST_PAGE_MESSAGES, HISTORY_PAGE_MESSAGES_MAX } from "./limits.ts";

interface HistoryRequest {
  threadId: number;
  /** When the turn's user message was stored. Later messages belong to other turns. */
  before: string;
  /** Older messages beyond this are not read. */
  tokensMax: number;
}

/**
 * The user, assistant and system messages of a thread before a turn, oldest first (Engine §2, message roles). Reads
 * what fits the model, however long the thread is.
 */
export async function loadHistory(
  db: Database,
  { threadId, before, tokensMax }: HistoryRequest,
): Promise<ModelMessage[]> {
  const newestFirst: ModelMessage[] = [];
  let tokens = 0;
  let position = { createdAt: before, id: 0 };
  let limit = HISTORY_FIRST_PAGE_MESSAGES;
  for (;;) {
    const page = await listHistoryBefore(db, threadId, { ...position, limit });
    for (const { role, content, ...stored } of page) {
      const message: ModelMessage = { role, content };
      newestFirst.push(message);
      tokens += messageTokens(message);
      if (tokens > tokensMax) return newestFirst.reverse();
      position = stored;
    }
    if (page.length < limit) return newestFirst.reverse();
    limit = HISTORY_PAGE_MESSAGES_MAX;
  }
}
