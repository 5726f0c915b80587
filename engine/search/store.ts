import type { Database } from "../../shared/database.ts";
import { jsonObject } from "../db/list-shape.ts";
import { beginningOf, type IndexedRange, READ_BYTES, searchedPart } from "./index-store.ts";
import { MESSAGE_READ_BYTES, MESSAGE_SCOPE_ROWS_MAX } from "./limits.ts";
import type { MessageSearch } from "./wire.ts";

/** Where a search looks. */
export type SearchScope = Pick<MessageSearch, "workspaceUuid" | "threadUuid">;

// CROSS: the index is the outer loop, in the order of its rows.
const MATCHES = `SELECT messages.id AS id FROM message_search
  CROSS JOIN messages ON messages.id = message_search.rowid
  CROSS JOIN threads ON threads.id = messages.thread_id
  CROSS JOIN workspaces ON workspaces.id = threads.workspace_id
  WHERE message_search MATCH :expression AND message_search.rowid BETWEEN :low AND :high AND workspaces.deleted_at IS NULL
    AND (:workspaceUuid IS NULL OR workspaces.uuid = :workspaceUuid) AND (:threadUuid IS NULL OR threads.uuid = :threadUuid)
  ORDER BY message_search.rowid DESC LIMIT :limit`;

/** The ids of the newest messages that match, between two ids. */
export async function listMatches(
  db: Database,
  expression: string,
  scope: SearchScope,
  { low, high, limit }: { low: number; high: number; limit: number },
): Promise<number[]> {
  const { workspaceUuid = null, threadUuid = null } = scope;
  const args = { expression, low, high, workspaceUuid, threadUuid, limit };
  const { rows } = await db.$client.execute({ sql: MATCHES, args });
  return rows.map(({ id }) => Number(id));
}

const idsOf = (where: string) => `SELECT min(id) AS low, max(id) AS high, count(*) AS count
  FROM (SELECT messages.id FROM threads CROSS JOIN messages ON messages.thread_id = threads.id
    WHERE ${where} LIMIT ${MESSAGE_SCOPE_ROWS_MAX + 1})`;
const IDS_OF_THREAD = idsOf("threads.uuid = :uuid");
const IDS_OF_WORKSPACE = idsOf(
  "threads.workspace_id = (SELECT id FROM workspaces WHERE uuid = :uuid)",
);

/** The part of a range that has the messages of a thread or workspace; the whole range where they are very many. */
export async function narrowed(
  db: Database,
  { low, high }: IndexedRange,
  { workspaceUuid, threadUuid }: SearchScope,
): Promise<IndexedRange> {
  const uuid = threadUuid ?? workspaceUuid;
  if (uuid == null) return { low, high };
  const sql = threadUuid == null ? IDS_OF_WORKSPACE : IDS_OF_THREAD;
  const { rows } = await db.$client.execute({ sql, args: { uuid } });
  const count = Number(rows[0]?.count);
  if (count === 0) return { low: high + 1, high };
  if (count > MESSAGE_SCOPE_ROWS_MAX) return { low, high };
  return { low: Math.max(low, Number(rows[0]?.low)), high: Math.min(high, Number(rows[0]?.high)) };
}

/** A message that a search found. */
export interface FoundMessage {
  id: number;
  messageUuid: string;
  threadUuid: string;
  workspaceUuid: string;
  threadTitle: string | null;
  role: "user" | "assistant" | "system";
  createdAt: string;
  text: string;
}

const FIELDS: Record<keyof FoundMessage, string> = {
  id: "id",
  messageUuid: "uuid",
  threadUuid: "thread_uuid",
  workspaceUuid: "workspace_uuid",
  threadTitle: "title",
  role: "role",
  createdAt: "created_at",
  text: beginningOf("content"),
};

// As JSON: the driver cuts a text at U+0000. Of long messages fewer fit; one always does.
const FOUND = `SELECT json_group_array(${jsonObject(FIELDS)}) AS found
  FROM (SELECT *, ${READ_BYTES} AS bytes, row_number() OVER () AS place
    FROM (SELECT messages.*, threads.uuid AS thread_uuid, threads.title, workspaces.uuid AS workspace_uuid
      FROM messages JOIN threads ON threads.id = messages.thread_id
      JOIN workspaces ON workspaces.id = threads.workspace_id
      WHERE messages.id IN (SELECT value FROM json_each(:ids)) AND workspaces.deleted_at IS NULL
      ORDER BY messages.id DESC))
  WHERE bytes <= ${MESSAGE_READ_BYTES} OR place = 1`;

/** The first messages of these ids that are still there, the newest first; at least one where there is any. */
export async function readFound(db: Database, ids: readonly number[]): Promise<FoundMessage[]> {
  const { rows } = await db.$client.execute({ sql: FOUND, args: { ids: JSON.stringify(ids) } });
  const found: FoundMessage[] = JSON.parse(String(rows[0]?.found));
  return found.map((message) => ({ ...message, text: searchedPart(message.text) }));
}
