import { cutToBytes } from "../../shared/bytes.ts";
import { type Database, readFirst } from "../../shared/database.ts";
import { writeRelaxed } from "../db/slices.ts";
import { normalized, toIndexText } from "../retrieval/text/words.ts";
import { MESSAGE_READ_BYTES, MESSAGE_SEARCHED_BYTES } from "./limits.ts";

/** The ids of the messages that the index has. */
export interface IndexedRange {
  low: number;
  high: number;
}

/** A migration began with an empty range above the messages of its moment. */
export async function readRange(db: Database): Promise<IndexedRange> {
  const [low, high] = (await readFirst(db, "SELECT low, high FROM message_search_range")) ?? [];
  return { low: Number(low), high: Number(high) };
}

/** SQL for the beginning of a text, at least what is searched. A short one is whole, as `substr` ends at U+0000. */
export function beginningOf(column: string): string {
  const max = MESSAGE_SEARCHED_BYTES;
  return `iif(octet_length(${column}) <= ${max}, ${column}, substr(${column}, 1, ${max}))`;
}

/** What of a text is searched. */
export function searchedPart(text: string): string {
  return cutToBytes(text.toWellFormed(), MESSAGE_SEARCHED_BYTES);
}

/** Compatibility forms can make a text many times as long, so it is cut again. */
function indexedPart(text: string): string {
  const normal = normalized(searchedPart(text).replaceAll("\0", " "), "NFKC");
  return toIndexText(cutToBytes(normal, MESSAGE_SEARCHED_BYTES));
}

/** SQL for the bytes that a row and those before it add to a read. */
export const READ_BYTES = `sum(min(octet_length(content), ${MESSAGE_SEARCHED_BYTES})) OVER (ROWS UNBOUNDED PRECEDING)`;

const NEWER = "id > :edge ORDER BY id";
const OLDER = "id < :edge ORDER BY id DESC";

// As JSON: the driver cuts a text at U+0000. Of long messages fewer fit; one always does.
const page = (
  which: string,
) => `SELECT json_group_array(json_object('id', id, 'text', text)) AS page
  FROM (SELECT id, CASE WHEN role <> 'tool' THEN ${beginningOf("content")} END AS text,
      ${READ_BYTES} AS bytes,
      row_number() OVER () AS place
    FROM (SELECT id, role, content FROM messages WHERE ${which} LIMIT :rowsMax))
  WHERE bytes <= ${MESSAGE_READ_BYTES} OR place = 1`;
const PAGES = { newer: page(NEWER), older: page(OLDER) };

// A message may have been deleted since it was read.
const INSERT = `INSERT INTO message_search (rowid, text)
  SELECT value ->> 'id', value ->> 'text' FROM json_each(:texts)
  WHERE EXISTS (SELECT 1 FROM messages WHERE id = value ->> 'id')`;
const EXTEND = `UPDATE message_search_range SET low = min(low, :first), high = max(high, :last)`;

/** Indexes the next messages beside the range, in one commit. Returns how many there were. */
export async function indexPage(
  db: Database,
  which: "newer" | "older",
  rowsMax: number,
): Promise<number> {
  const { low, high } = await readRange(db);
  const args = { edge: which === "newer" ? high : low, rowsMax };
  const row = await readFirst(db, PAGES[which], args);
  const messages: { id: number; text: string | null }[] = JSON.parse(String(row?.[0]));
  if (messages.length === 0) return 0;
  const texts = messages.flatMap(({ id, text }) =>
    text === null ? [] : { id, text: indexedPart(text) },
  );
  const ids = messages.map(({ id }) => id);
  await writeRelaxed(db, [
    { sql: INSERT, args: { texts: JSON.stringify(texts) } },
    { sql: EXTEND, args: { first: Math.min(...ids), last: Math.max(...ids) } },
  ]);
  return messages.length;
}

const CHANGES = "SELECT total_changes() AS total";
const MERGE = "INSERT INTO message_search (message_search, rank) VALUES ('merge', :pages)";

/**
 * Merges segments of the index, in one commit that writes about so many pages. A migration turned the merges within other
 * commits off. Returns whether there was something to merge.
 */
export async function mergePages(db: Database, pages: number): Promise<boolean> {
  const [before, , after] = await writeRelaxed(db, [
    CHANGES,
    { sql: MERGE, args: { pages } },
    CHANGES,
  ]);
  // The command itself counts as one change.
  return Number(after?.rows[0]?.total) - Number(before?.rows[0]?.total) > 1;
}
