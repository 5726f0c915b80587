import type { ResultSet } from "@libsql/client";
import type { Batch } from "../../shared/batch.ts";
import { type Database, readFirst } from "../../shared/database.ts";
import type { ListQuery } from "../db/list.ts";
import { bytesOf, jsonOf, type ListShape } from "../db/list-shape.ts";
import type { MessageRow } from "../db/schema.ts";
import { justAfter } from "../db/time.ts";
import { touchThreadStatement } from "../threads/store.ts";
import {
  type AttachmentRow,
  attachmentsOf,
  type StoredAttachment,
  toStoredAttachment,
} from "./attachment-store.ts";
import { type CreateMessage, Message } from "./wire.ts";

// SQLite makes the JSON: several times faster than rows through drizzle, and the driver drops a NUL at the end of a text.
const IN_THREAD: ListShape = {
  from: "messages",
  where: `thread_id = (SELECT t.id FROM threads t JOIN workspaces w ON w.id = t.workspace_id
    WHERE t.uuid = :threadUuid AND w.deleted_at IS NULL)`,
  order: ["created_at", "id"],
  direction: "ASC",
  item: jsonOf(Message, { threadUuid: ":threadUuid" }),
  bytes: bytesOf("content"),
};

/** `Message[]`, oldest first; none for an unknown thread. */
export function messagesOf(threadUuid: string): ListQuery {
  return { shape: IN_THREAD, args: { threadUuid } };
}

/** The position of a message in the list of its thread. */
export interface MessagePlace {
  uuid: string;
  createdAt: string;
  id: number;
}

// Above and below every position.
const TOP = { createdAt: "~", id: 0 };
const BOTTOM = { createdAt: "", id: 0 };

const PAGE: ListShape = {
  ...IN_THREAD,
  where: `${IN_THREAD.where} AND (created_at, id) >= (:fromTime, :fromId) AND (created_at, id) < (:belowTime, :belowId)`,
};

/** `Message[]`, oldest first: from one position to below another. */
export function messagesWithin(
  threadUuid: string,
  from: Omit<MessagePlace, "uuid"> = BOTTOM,
  below: Omit<MessagePlace, "uuid"> = TOP,
): ListQuery {
  const args = {
    threadUuid,
    fromTime: from.createdAt,
    fromId: from.id,
    belowTime: below.createdAt,
    belowId: below.id,
  };
  return { shape: PAGE, args };
}

const PLACE = `SELECT uuid, created_at, id FROM messages WHERE ${IN_THREAD.where} AND uuid = :uuid`;

/** Undefined if it is no message of the thread. */
export async function findMessagePlace(
  db: Database,
  threadUuid: string,
  uuid: string,
): Promise<MessagePlace | undefined> {
  const { rows } = await db.$client.execute({ sql: PLACE, args: { threadUuid, uuid } });
  return rows[0] && toPlace(rows[0]);
}

const USER_MESSAGE = `SELECT uuid, created_at, id, json_quote(content) AS content FROM messages
  WHERE ${IN_THREAD.where} AND uuid = :uuid AND role = 'user'`;

/** A user message of a thread; undefined if it is none. */
export async function findUserMessage(
  db: Database,
  threadUuid: string,
  uuid: string,
): Promise<(MessagePlace & { content: string }) | undefined> {
  const { rows } = await db.$client.execute({ sql: USER_MESSAGE, args: { threadUuid, uuid } });
  return rows[0] && { ...toPlace(rows[0]), content: JSON.parse(String(rows[0].content)) };
}

const PAGE_END = `SELECT uuid, created_at, id FROM messages WHERE ${IN_THREAD.where}
  AND (created_at, id) < (:createdAt, :id) ORDER BY created_at DESC, id DESC LIMIT 2 OFFSET :offset`;

/** The oldest of the `limit` newest messages below a position; undefined if there are fewer. */
export async function findPageEnd(
  db: Database,
  threadUuid: string,
  { limit, below = { uuid: "", ...TOP } }: { limit: number; below?: MessagePlace | undefined },
): Promise<{ end: MessagePlace | undefined; isLast: boolean }> {
  const { createdAt, id } = below;
  const args = { threadUuid, createdAt, id, offset: limit - 1 };
  const { rows } = await db.$client.execute({ sql: PAGE_END, args });
  return { end: rows[0] && toPlace(rows[0]), isLast: rows.length < 2 };
}

function toPlace({ uuid, created_at, id }: ResultSet["rows"][number]): MessagePlace {
  return { uuid: String(uuid), createdAt: String(created_at), id: Number(id) };
}

/** A message that a model may see: every role but `tool` (Engine §2, message roles). */
export type HistoryMessage = Pick<MessageRow, "id" | "createdAt" | "content"> & {
  role: Exclude<MessageRow["role"], "tool">;
  attachments: StoredAttachment[];
  /** What was streamed of its answer, if that was stopped. */
  stoppedText: string | null;
};

// Arrays, and the order of the rows within: with names and an order of its own this takes twice the time.
const historySql = (
  where: string,
  direction: "ASC" | "DESC",
) => `SELECT json_group_array(json_array(id, created_at, role, content, json(attachments), stopped_text))
  FROM (
    SELECT id, created_at, role, content, ${attachmentsOf("messages.id")} AS attachments, (
      SELECT partial_text FROM turns WHERE turns.id = messages.id AND state IN ('cancelled', 'failed', 'interrupted')
    ) AS stopped_text FROM messages
    WHERE thread_id = :threadId AND ${where} AND role <> 'tool'
    ORDER BY created_at ${direction}, id ${direction} LIMIT :limit
  )`;
const HISTORY_BEFORE = historySql(
  "(created_at, id) < (:createdAt, :id) AND created_at > :after",
  "DESC",
);
const HISTORY_AFTER = historySql("created_at > :after AND created_at <= :through", "ASC");

type HistoryRow = [
  id: number,
  createdAt: string,
  role: HistoryMessage["role"],
  content: string,
  attachments: AttachmentRow[],
  stoppedText: string | null,
];

/** One page of the messages before a position (`created_at`, `id`) and after a time, newest first. */
export function listHistoryBefore(
  db: Database,
  threadId: number,
  page: { createdAt: string; id: number; after: string; limit: number },
): Promise<HistoryMessage[]> {
  return readHistory(db, HISTORY_BEFORE, { threadId, ...page });
}

/** One page of the messages after a time, through another, oldest first. */
export function listHistoryAfter(
  db: Database,
  threadId: number,
  page: { after: string; through: string; limit: number },
): Promise<HistoryMessage[]> {
  return readHistory(db, HISTORY_AFTER, { threadId, ...page });
}

async function readHistory(
  db: Database,
  sql: string,
  args: Readonly<Record<string, string | number>>,
): Promise<HistoryMessage[]> {
  const row = await readFirst(db, sql, args);
  const page: HistoryRow[] = JSON.parse(String(row?.[0]));
  return page.map(([id, createdAt, role, content, files, stoppedText]) => {
    const attachments = files.map(toStoredAttachment);
    return { id, createdAt, role, content, attachments, stoppedText };
  });
}

const FIRST_EXCHANGE = `SELECT json_group_array(json_object('role', role, 'content', content)) FROM (
  SELECT role, substr(content, 1, :characters) AS content FROM messages
  WHERE thread_id = :threadId AND role IN ('user', 'assistant') ORDER BY created_at, id LIMIT 2)`;

/** The first two messages of a thread that a person or a model wrote, each cut to so many characters. */
export async function listFirstExchange(
  db: Database,
  threadId: number,
  characters: number,
): Promise<{ role: string; content: string }[]> {
  const row = await readFirst(db, FIRST_EXCHANGE, { threadId, characters });
  return JSON.parse(String(row?.[0]));
}

// Raw SQL, here and in `touchThreadStatement`: one statement decides whether the thread exists and what comes last.
const INSERT = `INSERT INTO messages (uuid, thread_id, role, content, created_at)
  SELECT :uuid, t.id, :role, :content,
    max(:now, ${justAfter("(SELECT max(created_at) FROM messages WHERE thread_id = t.id)")})
  FROM threads t JOIN workspaces w ON w.id = t.workspace_id
  WHERE t.uuid = :threadUuid AND w.deleted_at IS NULL
  RETURNING created_at`;

const CONTENT = "SELECT json_quote(content) AS content FROM messages WHERE uuid = :uuid";

/** The text of a message that is known to be there; its thread is not looked at. */
export async function findMessageContent(db: Database, uuid: string): Promise<string | undefined> {
  const row = await readFirst(db, CONTENT, { uuid });
  return row && JSON.parse(String(row[0]));
}

interface NewMessage extends CreateMessage {
  uuid: string;
  now: string;
  /** Tool records do not count as activity of their thread (Engine §2, message roles 3). */
  touchesThread: boolean;
}

/** Adds a message to a batch. Returns a function for the stored message: undefined if the thread is unknown. */
export function addMessage(batch: Batch, message: NewMessage): () => Message | undefined {
  const { uuid, role, content, now, threadUuid, touchesThread } = message;
  const inserted = batch.add({ sql: INSERT, args: { uuid, role, content, now, threadUuid } });
  if (touchesThread) batch.add(touchThreadStatement(threadUuid, now));
  return () => {
    const [row] = inserted();
    // Later than every message before it in the thread.
    return row && { uuid, threadUuid, role, content, createdAt: String(row.created_at) };
  };
}
