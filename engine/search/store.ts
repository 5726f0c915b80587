import type { Database } from "../../shared/database.ts";
import { jsonObject } from "../db/list-shape.ts";
import { searchedText } from "./index-store.ts";

/** Where a search looks. */
export interface SearchScope {
  workspaceUuid: string | undefined;
  threadUuid: string | undefined;
}

// CROSS: the index is the outer loop, in the order of its rows.
const MATCHES = `SELECT messages.id AS id FROM message_search
  CROSS JOIN messages ON messages.id = message_search.rowid
  CROSS JOIN threads ON threads.id = messages.thread_id
  CROSS JOIN workspaces ON workspaces.id = threads.workspace_id
  WHERE message_search MATCH ?1 AND message_search.rowid BETWEEN ?2 AND ?3 AND workspaces.deleted_at IS NULL
    AND (?4 IS NULL OR workspaces.uuid = ?4) AND (?5 IS NULL OR threads.uuid = ?5)
  ORDER BY message_search.rowid DESC LIMIT ?6`;

/** The ids of the newest messages that match, between two ids. */
export async function listMatches(
  db: Database,
  expression: string,
  scope: SearchScope,
  { low, high, limit }: { low: number; high: number; limit: number },
): Promise<number[]> {
  const { workspaceUuid = null, threadUuid = null } = scope;
  const args = [expression, low, high, workspaceUuid, threadUuid, limit];
  const { rows } = await db.$client.execute({ sql: MATCHES, args });
  return rows.map(({ id }) => Number(id));
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
  id: "messages.id",
  messageUuid: "messages.uuid",
  threadUuid: "threads.uuid",
  workspaceUuid: "workspaces.uuid",
  threadTitle: "threads.title",
  role: "messages.role",
  createdAt: "messages.created_at",
  text: searchedText("messages.content"),
};

// As JSON: the driver cuts a text at U+0000.
const FOUND = `SELECT json_group_array(${jsonObject(FIELDS)}) AS found
  FROM messages JOIN threads ON threads.id = messages.thread_id
  JOIN workspaces ON workspaces.id = threads.workspace_id
  WHERE messages.id IN (SELECT value FROM json_each(?1)) AND workspaces.deleted_at IS NULL`;

/** The messages of these ids that are still there. */
export async function readFound(db: Database, ids: readonly number[]): Promise<FoundMessage[]> {
  const { rows } = await db.$client.execute({ sql: FOUND, args: [JSON.stringify(ids)] });
  return JSON.parse(String(rows[0]?.found));
}
