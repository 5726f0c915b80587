import type { Database } from "../../shared/database.ts";
import { MESSAGE_INDEX_BYTES, MESSAGE_SEARCHED_CHARACTERS_MAX } from "../limits.ts";
import { toIndexText } from "../retrieval/text/words.ts";

/** The ids of the messages that the index has. */
export interface IndexedRange {
  low: number;
  high: number;
}

/** A migration began with an empty range above the messages of its moment. */
export async function readRange(db: Database): Promise<IndexedRange> {
  const { rows } = await db.$client.execute("SELECT low, high FROM message_search_range");
  return { low: Number(rows[0]?.low), high: Number(rows[0]?.high) };
}

/** SQL for what of a text is searched. A short one is taken whole, as `substr` ends at U+0000. */
export function searchedText(column: string): string {
  const max = MESSAGE_SEARCHED_CHARACTERS_MAX;
  return `iif(octet_length(${column}) <= ${max}, ${column}, substr(${column}, 1, ${max}))`;
}

const NEWER = "id > ?1 ORDER BY id";
const OLDER = "id < ?1 ORDER BY id DESC";

// As JSON: the driver cuts a text at U+0000. Of long messages fewer fit; one always does.
const page = (
  which: string,
) => `SELECT json_group_array(json_object('id', id, 'text', text)) AS page
  FROM (SELECT id, CASE WHEN role <> 'tool' THEN ${searchedText("content")} END AS text,
      sum(min(octet_length(content), ${MESSAGE_SEARCHED_CHARACTERS_MAX})) OVER (ROWS UNBOUNDED PRECEDING) AS bytes,
      row_number() OVER () AS place
    FROM (SELECT id, role, content FROM messages WHERE ${which} LIMIT ?2))
  WHERE bytes <= ${MESSAGE_INDEX_BYTES} OR place = 1`;
const PAGES = { newer: page(NEWER), older: page(OLDER) };

// A message may have been deleted since it was read.
const INSERT = `INSERT INTO message_search (rowid, text)
  SELECT value ->> 'id', value ->> 'text' FROM json_each(?1)
  WHERE EXISTS (SELECT 1 FROM messages WHERE id = value ->> 'id')`;
const EXTEND = `UPDATE message_search_range SET low = min(low, ?1), high = max(high, ?2)`;

/** Indexes the next messages beside the range, in one commit. Returns whether there were any. */
export async function indexPage(
  db: Database,
  which: "newer" | "older",
  rowsMax: number,
): Promise<boolean> {
  const { low, high } = await readRange(db);
  const args = [which === "newer" ? high : low, rowsMax];
  const { rows } = await db.$client.execute({ sql: PAGES[which], args });
  const messages: { id: number; text: string | null }[] = JSON.parse(String(rows[0]?.page));
  if (messages.length === 0) return false;
  const texts = messages.flatMap(({ id, text }) =>
    text === null ? [] : { id, text: toIndexText(text.toWellFormed().replaceAll("\0", " ")) },
  );
  const ids = messages.map(({ id }) => id);
  await db.$client.batch(
    [
      { sql: INSERT, args: [JSON.stringify(texts)] },
      { sql: EXTEND, args: [Math.min(...ids), Math.max(...ids)] },
    ],
    "write",
  );
  return true;
}
