import { setImmediate } from "node:timers/promises";
import { type Database, readFirst } from "../../shared/database.ts";
import { toIndexText, wordBorder } from "../retrieval/text/words.ts";
import {
  MESSAGE_INDEX_ROWS,
  MESSAGE_MERGE_PAGES,
  MESSAGE_PIECE_BYTES,
  MESSAGE_PIECE_OVERLAP_BYTES,
  MESSAGE_PIECES_MAX,
  MESSAGE_SEARCHED_BYTES,
} from "./limits.ts";

const INDEXED = "SELECT up_to, (SELECT max(id) FROM messages) FROM indexed_messages";

/** The ids of the last message that the index has, and of the newest message. A migration began at 0. */
export async function readIndexed(db: Database): Promise<{ upTo: number; newest: number }> {
  const [upTo, newest] = (await readFirst(db, INDEXED)) ?? [];
  return { upTo: Number(upTo), newest: Number(newest) };
}

// One byte more shows whether the text goes on.
const PIECE =
  "SELECT substr(CAST(content AS BLOB), :offset + 1, :bytesMax + 1) FROM messages WHERE id = :id";

/** A piece of a message, from 0; a message that is not long is its only one. Empty if the message is gone. */
export async function readPiece(db: Database, id: number, piece: number): Promise<string> {
  const offset = piece * MESSAGE_PIECE_BYTES;
  const bytesMax = Math.min(
    MESSAGE_PIECE_BYTES + MESSAGE_PIECE_OVERLAP_BYTES,
    MESSAGE_SEARCHED_BYTES - offset,
  );
  const [bytes] = (await readFirst(db, PIECE, { id, offset, bytesMax })) ?? [];
  if (!(bytes instanceof Uint8Array)) return "";
  let text = new TextDecoder().decode(bytes.subarray(0, bytesMax));
  // Half a character was decoded to U+FFFD, which would end a word.
  if (piece > 0) {
    text = text.replace(/^\uFFFD+/, "");
    text = text.slice(lengthOfHalf(text.split(wordBorder(), 1).at(0)));
  }
  if (bytes.byteLength > bytesMax) {
    text = text.replace(/\uFFFD$/, "");
    const words = text.slice(-MESSAGE_PIECE_OVERLAP_BYTES).split(wordBorder());
    text = text.slice(0, text.length - lengthOfHalf(words.at(-1)));
  }
  return text;
}

/** The characters of half of a word. The piece beside it has the whole word, unless the word is longer than what they share. */
function lengthOfHalf(word = ""): number {
  return Buffer.byteLength(word) < MESSAGE_PIECE_OVERLAP_BYTES ? word.length : 0;
}

// Records of tools count as empty.
const PAGE = `SELECT json_group_array(json_array(id, bytes)) AS page
  FROM (SELECT id, bytes, sum(bytes) OVER (ROWS UNBOUNDED PRECEDING) AS total, row_number() OVER () AS place
    FROM (SELECT id, iif(role = 'tool', 0, octet_length(content)) AS bytes FROM messages
      WHERE id > (SELECT up_to FROM indexed_messages) ORDER BY id LIMIT ${MESSAGE_INDEX_ROWS}))
  WHERE total <= ${MESSAGE_PIECE_BYTES} OR place = 1`;

// A message may have been deleted since it was read, and a stop amid a long one leaves pieces.
const INSERT = `INSERT OR REPLACE INTO message_search (rowid, text)
  SELECT value ->> 0, value ->> 2 FROM json_each(:rows)
  WHERE EXISTS (SELECT 1 FROM messages WHERE id = value ->> 1)`;
const EXTEND = "UPDATE indexed_messages SET up_to = :upTo";

/** Where a piece of a message is in the index: under the id, or below zero if the message is long. */
type Entry = [row: number, id: number, piece: number];

function entriesOf([id, bytes]: [id: number, bytes: number]): Entry[] {
  const length = Math.min(MESSAGE_PIECES_MAX, Math.ceil(bytes / MESSAGE_PIECE_BYTES));
  const rowOf = (piece: number) => (length > 1 ? -(id * MESSAGE_PIECES_MAX + piece) : id);
  return Array.from({ length }, (_, piece) => [rowOf(piece), id, piece]);
}

/** Indexes the next messages. Returns how many there were. */
export async function indexPage(db: Database): Promise<number> {
  const row = await readFirst(db, PAGE);
  const messages: [id: number, bytes: number][] = JSON.parse(String(row?.[0]));
  const [last] = messages.at(-1) ?? [];
  if (last === undefined) return 0;
  const entries = messages.flatMap(entriesOf);
  // A long message is alone in its page.
  const commits = messages.length === 1 ? entries.map((entry) => [entry]) : [entries];
  for (const commit of commits) await insert(db, commit);
  await db.$client.execute({ sql: EXTEND, args: { upTo: last } });
  return messages.length;
}

async function insert(db: Database, entries: readonly Entry[]): Promise<void> {
  const rows: [row: number, id: number, text: string][] = [];
  for (const [row, id, piece] of entries) {
    const text = await readPiece(db, id, piece);
    rows.push([row, id, toIndexText(text.replaceAll("\0", " "))]);
  }
  await setImmediate();
  await db.$client.execute({ sql: INSERT, args: { rows: JSON.stringify(rows) } });
}

const CHANGES = "SELECT total_changes() AS total";
const MERGE = `INSERT INTO message_search (message_search, rank) VALUES ('merge', ${MESSAGE_MERGE_PAGES})`;

/**
 * Merges segments of the index, in one small commit. A migration turned the merges within other commits off. Returns whether
 * there was something to merge.
 */
export async function mergePages(db: Database): Promise<boolean> {
  const [before, , after] = await db.$client.batch([CHANGES, MERGE, CHANGES], "write");
  // The command itself counts as one change.
  return Number(after?.rows[0]?.total) - Number(before?.rows[0]?.total) > 1;
}
