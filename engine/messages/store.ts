import type { Database } from "../../shared/database.ts";
import { bytesOf, jsonObject, type ListQuery, type ListShape } from "../db/list.ts";
import type { MessageRow } from "../db/schema.ts";
import { justAfter } from "../db/time.ts";
import { touchThreadStatement } from "../threads/store.ts";
import type { CreateMessage, Message } from "./wire.ts";

const FIELDS: Record<keyof Message, string> = {
  uuid: "uuid",
  // What the list was asked for.
  threadUuid: "?1",
  role: "role",
  content: "content",
  createdAt: "created_at",
};

// SQLite makes the JSON: several times faster than rows through drizzle, and the driver drops a NUL at the end of a text.
const IN_THREAD: ListShape = {
  from: "messages",
  where: `thread_id = (SELECT t.id FROM threads t JOIN workspaces w ON w.id = t.workspace_id
    WHERE t.uuid = ?1 AND w.deleted_at IS NULL)`,
  order: ["created_at", "id"],
  direction: "ASC",
  item: jsonObject(FIELDS),
  bytes: bytesOf("content"),
};

/** `Message[]`, oldest first; none for an unknown thread. */
export function messagesOf(threadUuid: string): ListQuery {
  return { shape: IN_THREAD, args: [threadUuid] };
}

/** What a model may see of a thread: everything but tool records (Engine §2, message roles). */
export type HistoryMessage = Pick<MessageRow, "id" | "createdAt" | "content"> & {
  role: Exclude<MessageRow["role"], "tool">;
};

const HISTORY = `SELECT json_group_array(
    json_object('id', id, 'createdAt', created_at, 'role', role, 'content', content)
    ORDER BY created_at DESC, id DESC
  ) AS page
  FROM (
    SELECT id, created_at, role, content FROM messages
    WHERE thread_id = ?1 AND (created_at, id) < (?2, ?3) AND role <> 'tool'
    ORDER BY created_at DESC, id DESC LIMIT ?4
  )`;

/** One page of what stands before a message by (`created_at`, `id`), newest first. */
export async function listHistoryBefore(
  db: Database,
  threadId: number,
  { createdAt, id, limit }: { createdAt: string; id: number; limit: number },
): Promise<HistoryMessage[]> {
  const { rows } = await db.$client.execute({
    sql: HISTORY,
    args: [threadId, createdAt, id, limit],
  });
  return JSON.parse(String(rows[0]?.page));
}

const INSERT = `INSERT INTO messages (uuid, thread_id, role, content, created_at)
  SELECT ?1, t.id, ?2, ?3,
    max(?4, ${justAfter("(SELECT max(created_at) FROM messages WHERE thread_id = t.id)")})
  FROM threads t JOIN workspaces w ON w.id = t.workspace_id WHERE t.uuid = ?5 AND w.deleted_at IS NULL
  RETURNING created_at`;

export interface NewMessage extends CreateMessage {
  uuid: string;
  now: string;
  /** Tool records do not count as activity of their thread (Engine §2, message roles 3). */
  touchesThread: boolean;
}

/** The statements that store a message, for a batch of the caller's; the first one answers `created_at`, or no row. */
export function insertMessageStatements(message: NewMessage) {
  const { uuid, role, content, now, threadUuid } = message;
  const insert = { sql: INSERT, args: [uuid, role, content, now, threadUuid] };
  return message.touchesThread ? [insert, touchThreadStatement(threadUuid, now)] : [insert];
}

/** Undefined where the thread is unknown. `createdAt` is later than that of every message before it in the thread. */
export async function insertMessage(
  db: Database,
  message: NewMessage,
): Promise<Message | undefined> {
  const [inserted] = await db.$client.batch(insertMessageStatements(message), "write");
  const createdAt = inserted?.rows[0]?.created_at;
  if (typeof createdAt !== "string") return undefined;
  const { uuid, threadUuid, role, content } = message;
  return { uuid, threadUuid, role, content, createdAt };
}
