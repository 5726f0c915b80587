import { type Database, readFirst } from "../../shared/database.ts";

/** Where the history of a thread begins, and what is known of the rest. Messages are named by `created_at`. */
export interface StoredSummary {
  historyAfter: string;
  text: string | null;
  tokens: number | null;
  coversThrough: string | null;
  createdAt: string;
}

const FIND = `SELECT history_after, json_quote(text), tokens, covers_through, created_at FROM thread_summaries
  WHERE thread_id = :threadId`;

/** Undefined if models get the whole thread. */
export async function findSummary(
  db: Database,
  threadId: number,
): Promise<StoredSummary | undefined> {
  const row = await readFirst(db, FIND, { threadId });
  if (!row) return undefined;
  const [historyAfter, text, tokens, coversThrough, createdAt] = row;
  return {
    historyAfter: String(historyAfter),
    text: JSON.parse(String(text)),
    tokens: tokens === null ? null : Number(tokens),
    coversThrough: coversThrough === null ? null : String(coversThrough),
    createdAt: String(createdAt),
  };
}

// One statement decides whether the thread is still there, and whether the row is that which the summary continues.
const PUT = `INSERT INTO thread_summaries (thread_id, history_after, text, tokens, covers_through, created_at)
  SELECT t.id, :historyAfter, :text, :tokens, :coversThrough, :createdAt
  FROM threads t JOIN workspaces w ON w.id = t.workspace_id WHERE t.id = :threadId AND w.deleted_at IS NULL
  ON CONFLICT (thread_id) DO UPDATE SET history_after = excluded.history_after, text = excluded.text,
    tokens = excluded.tokens, covers_through = excluded.covers_through, created_at = excluded.created_at
  WHERE history_after = :before
  RETURNING id`;

/** Stores a summary that continues the one with this `historyAfter`. Returns whether it was stored. */
export async function putSummary(
  db: Database,
  threadId: number,
  { before, ...summary }: StoredSummary & { before: string | null },
): Promise<boolean> {
  const args = { threadId, before, ...summary };
  const { rows } = await db.$client.execute({ sql: PUT, args });
  return rows.length > 0;
}

/** Gives models the whole thread again. Returns whether they did not get it. */
export async function deleteSummary(db: Database, threadId: number): Promise<boolean> {
  const sql = "DELETE FROM thread_summaries WHERE thread_id = :threadId RETURNING id";
  const { rows } = await db.$client.execute({ sql, args: { threadId } });
  return rows.length > 0;
}

const MESSAGE_AT =
  "SELECT uuid FROM messages WHERE thread_id = :threadId AND created_at = :createdAt LIMIT 1";

/** The uuid of the message of this time; undefined if it is gone. */
export async function findMessageAt(
  db: Database,
  threadId: number,
  createdAt: string,
): Promise<string | undefined> {
  const row = await readFirst(db, MESSAGE_AT, { threadId, createdAt });
  return row && String(row[0]);
}

const NEWEST_QUESTIONS = `SELECT created_at FROM messages WHERE thread_id = :threadId AND role = 'user'
  ORDER BY created_at DESC LIMIT 1 OFFSET :skipped`;
const LAST_BEFORE = `SELECT max(created_at) FROM messages
  WHERE thread_id = :threadId AND created_at < :createdAt AND role <> 'tool'`;

/** The last message before the newest exchanges; undefined if there is none. */
export async function findEndBefore(
  db: Database,
  threadId: number,
  exchanges: number,
): Promise<string | undefined> {
  const first = await readFirst(db, NEWEST_QUESTIONS, { threadId, skipped: exchanges - 1 });
  if (!first) return undefined;
  const last = await readFirst(db, LAST_BEFORE, { threadId, createdAt: String(first[0]) });
  return last?.[0] == null ? undefined : String(last[0]);
}
