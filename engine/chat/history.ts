import type { Database } from "../../shared/database.ts";
import type { AttachmentFiles } from "../messages/attachment-files.ts";
import { type HistoryMessage, listHistoryBefore } from "../messages/store.ts";
import type { ModelAttachment, ModelMessage } from "../models/language-model.ts";
import { reachesModelAsBytes } from "./attachments.ts";
import { sumTokens } from "./context-window.ts";
import {
  HISTORY_ATTACHMENTS_BYTES_MAX,
  HISTORY_FIRST_PAGE_MESSAGES,
  HISTORY_PAGE_MESSAGES_MAX,
} from "./limits.ts";

interface HistoryDeps {
  db: Database;
  attachments: Pick<AttachmentFiles, "read">;
}

interface HistoryRequest {
  threadId: number;
  /** When the turn's user message was stored. Later messages belong to other turns. */
  before: string;
  /** The time of the last message that is not sent as it is; empty if all are. */
  after: string;
  /** Older messages beyond this are not read. */
  tokensMax: number;
  /** Whether the model takes files. */
  acceptsAttachments: boolean;
}

/** A message as a model gets it. */
export interface HistoryEntry {
  message: ModelMessage;
  /** Of the stored message. */
  createdAt: string;
}

/** Behind what was streamed of an answer that was stopped. */
export const STOPPED = "[This answer was stopped before its end.]";

/**
 * The user, assistant and system messages of a thread before a turn, oldest first (Engine §2, message roles), with their files,
 * and with what was streamed of answers that were stopped. Reads what fits the model, however long the thread is.
 */
export async function loadHistory(
  deps: HistoryDeps,
  { threadId, before, after, tokensMax, acceptsAttachments }: HistoryRequest,
): Promise<HistoryEntry[]> {
  const newestFirst: HistoryEntry[] = [];
  const addFiles = createFileAdder(deps, acceptsAttachments);
  let tokens = 0;
  let position = { createdAt: before, id: 0 };
  let limit = HISTORY_FIRST_PAGE_MESSAGES;
  for (;;) {
    const page = await listHistoryBefore(deps.db, threadId, { ...position, after, limit });
    for (const stored of page) {
      const { stoppedText, createdAt, id } = stored;
      // Behind its question, as an answer would be.
      if (stoppedText !== null) {
        const content = `${stoppedText}\n\n${STOPPED}`;
        newestFirst.push({ message: { role: "assistant", content }, createdAt });
      }
      newestFirst.push({ message: await addFiles(stored), createdAt });
      const added = newestFirst.slice(stoppedText === null ? -1 : -2);
      tokens += sumTokens(added.map(({ message }) => message));
      if (tokens > tokensMax) return newestFirst.reverse();
      position = { createdAt, id };
    }
    if (page.length < limit) return newestFirst.reverse();
    limit = HISTORY_PAGE_MESSAGES_MAX;
  }
}

/** Adds their files to messages, the newest first, within a bound for all. Of a file that cannot be sent the model reads what it is. */
function createFileAdder({ attachments: files }: HistoryDeps, acceptsAttachments: boolean) {
  let bytesLeft = acceptsAttachments ? HISTORY_ATTACHMENTS_BYTES_MAX : 0;
  return async (message: HistoryMessage): Promise<ModelMessage> => {
    const { role, content, attachments: stored } = message;
    if (role !== "user" || stored.length === 0) return { role, content };
    const attachments: ModelAttachment[] = [];
    const notes: string[] = [];
    for (const { name, mediaType, size, hash } of stored) {
      const fits = size <= bytesLeft && reachesModelAsBytes({ mediaType });
      const bytes = fits ? await files.read(hash) : undefined;
      if (bytes) {
        bytesLeft -= size;
        attachments.push({ name, mediaType, bytes });
      } else {
        const file = JSON.stringify({ name, media_type: mediaType, size_bytes: size });
        notes.push(`[Attached, and not shown here: ${file}]`);
      }
    }
    const text = [content, ...notes].join("\n\n");
    return { role, content: text, ...(attachments.length > 0 ? { attachments } : {}) };
  };
}
