import { type Database, readFirst } from "../../shared/database.ts";
import { jsonObject } from "../db/list-shape.ts";
import { MESSAGE_PIECES_MAX, MESSAGE_SCOPE_ROWS_MAX } from "./limits.ts";
import type { MessageHit, MessageSearch } from "./wire.ts";

type SearchScope = Pick<MessageSearch, "workspaceUuid" | "threadUuid">;

/** Message ids, both included. */
export interface Ids {
  low: number;
  high: number;
}

/** The ids that one read covers, and its matches at most. */
export type Window = Ids & { limit: number };

/** A message that matches, and the pieces that show it: for each word the first that has it. */
export interface Match {
  id: number;
  pieces: number[];
}

// The message that was copied, or its first copy that is left. All are in one workspace.
const earlierCopy = (isIt: string) => `SELECT 1 FROM messages earlier
  JOIN threads t ON t.id = earlier.thread_id JOIN workspaces w ON w.id = t.workspace_id AND w.deleted_at IS NULL
  WHERE ${isIt}`;
const EARLIER_COPY = `${earlierCopy("earlier.id = messages.source_id")}
  UNION ALL ${earlierCopy("earlier.source_id = messages.source_id AND earlier.id < messages.id")}`;

// CROSS: the index is the outer loop, in the order of its rows.
const matches = (found: string) => `SELECT found.id, found.pieces FROM (${found}) AS found
  CROSS JOIN messages ON messages.id = found.id
  CROSS JOIN threads ON threads.id = messages.thread_id
  CROSS JOIN workspaces ON workspaces.id = threads.workspace_id
  WHERE workspaces.deleted_at IS NULL
    AND (:workspaceUuid IS NULL OR workspaces.uuid = :workspaceUuid) AND (:threadUuid IS NULL OR threads.uuid = :threadUuid)
    AND (:threadUuid IS NOT NULL OR messages.source_id IS NULL OR NOT EXISTS (${EARLIER_COPY}))
  ORDER BY found.id DESC LIMIT :limit`;

const PIECES = MESSAGE_PIECES_MAX;
// The driver binds numbers as REAL, and FTS5 then reads all rows that match: only integers bound what it reads.
const LOW = "CAST(:low AS INTEGER)";
const HIGH = "CAST(:high AS INTEGER)";
const LONG_ROWS = `BETWEEN -(${HIGH} * ${PIECES} + ${PIECES - 1}) AND -(${LOW} * ${PIECES})`;

const MATCHES = {
  short: matches(`SELECT rowid AS id, '[0]' AS pieces FROM message_search
    WHERE message_search MATCH :expression AND rowid BETWEEN ${LOW} AND ${HIGH}`),
  // Its words may stand in different pieces, so each is looked for by itself.
  long: matches(`SELECT id, json_group_array(DISTINCT piece ORDER BY piece) AS pieces FROM (
      SELECT -message_search.rowid / ${PIECES} AS id, min(-message_search.rowid % ${PIECES}) AS piece
      FROM json_each(:words) AS word CROSS JOIN message_search
      WHERE message_search MATCH word.value AND message_search.rowid ${LONG_ROWS} GROUP BY 1, word.key)
    GROUP BY id HAVING count(*) >= :wanted`),
};

/** The newest matches between two ids, the newest first. `words` are expressions, of which one or every one must match. */
export async function listMatches(
  db: Database,
  length: keyof typeof MATCHES,
  { words, isEvery }: { words: readonly string[]; isEvery: boolean },
  { workspaceUuid = null, threadUuid = null }: SearchScope,
  window: Window,
): Promise<Match[]> {
  const args = {
    ...window,
    expression: words.join(isEvery ? " AND " : " OR "),
    words: JSON.stringify(words),
    wanted: isEvery ? words.length : 1,
    workspaceUuid,
    threadUuid,
  };
  const { rows } = await db.$client.execute({ sql: MATCHES[length], args });
  return rows.map(({ id, pieces }) => ({ id: Number(id), pieces: JSON.parse(String(pieces)) }));
}

const longEnd = (end: "min" | "max") =>
  `-(SELECT ${end}(id) FROM message_search_docsize WHERE id ${LONG_ROWS}) / ${PIECES}`;
const LONG_ENDS = `SELECT ${longEnd("max")}, ${longEnd("min")}`;

/** The ids from the first to the last long message; `low` is above `high` if there is none. */
export async function longWithin(db: Database, ids: Ids): Promise<Ids> {
  const [low, high] = (await readFirst(db, LONG_ENDS, { ...ids })) ?? [];
  return { low: Number(low ?? 1), high: Number(high ?? 0) };
}

const idsOf = (threads: string) => `SELECT min(id), max(id), count(*)
  FROM (SELECT messages.id FROM threads CROSS JOIN messages ON messages.thread_id = threads.id
    WHERE threads.${threads} LIMIT ${MESSAGE_SCOPE_ROWS_MAX + 1})`;
const OF_WORKSPACE = "workspace_id = (SELECT id FROM workspaces WHERE uuid = :uuid)";

/** The ids up to the last one that the messages of a scope have; all of them if these are very many. */
export async function idsWithin(
  db: Database,
  last: number,
  { workspaceUuid, threadUuid }: SearchScope,
): Promise<Ids> {
  const all = { low: 1, high: last };
  const uuid = threadUuid ?? workspaceUuid;
  if (uuid == null) return all;
  const sql = idsOf(threadUuid == null ? OF_WORKSPACE : "uuid = :uuid");
  const [low, high, count] = ((await readFirst(db, sql, { uuid })) ?? []).map(Number);
  if (Number(count) > MESSAGE_SCOPE_ROWS_MAX) return all;
  // Without a message both are 0.
  return { low: low || 1, high: Math.min(high || 0, last) };
}

/** What a client is shown of a message, besides how it was found. */
type FoundMessage = Omit<MessageHit, "snippet" | "score">;

const FIELDS: Record<keyof FoundMessage, string> = {
  messageUuid: "messages.uuid",
  threadUuid: "threads.uuid",
  workspaceUuid: "workspaces.uuid",
  threadTitle: "threads.title",
  role: "messages.role",
  createdAt: "messages.created_at",
};

const FOUND = `SELECT ${jsonObject(FIELDS)} FROM messages JOIN threads ON threads.id = messages.thread_id
  JOIN workspaces ON workspaces.id = threads.workspace_id
  WHERE messages.id = :id AND workspaces.deleted_at IS NULL`;

/** Undefined if it was deleted meanwhile. */
export async function readFound(db: Database, id: number): Promise<FoundMessage | undefined> {
  const row = await readFirst(db, FOUND, { id });
  return row && JSON.parse(String(row[0]));
}
