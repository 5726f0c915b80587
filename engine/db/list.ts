import { setImmediate } from "node:timers/promises";
import type { InValue } from "@libsql/client";
import { utf8 } from "../../shared/bytes.ts";
import type { Database } from "../../shared/database.ts";
import { EmbeddedClient } from "../../shared/node/embedded-client.ts";
import type { Snapshot } from "../../shared/node/embedded-snapshots.ts";
import type { Timers } from "../../shared/timers.ts";
import {
  LIST_DIRECT_ROWS_MAX,
  LIST_PAGE_BYTES,
  LIST_PAGE_ROWS_MAX,
  LIST_READ_MS_MAX,
} from "../limits.ts";

/** Where the rows of a list are, in which order, and how each is written. All parts are SQL; arguments are numbered. */
export interface ListShape {
  from: string;
  where: string;
  /** Expressions of an index, all in one direction; the last one is unique. */
  order: readonly string[];
  direction: "ASC" | "DESC";
  /** One entry as JSON; NULL leaves the row out. */
  item: string;
  /** About how long the entry is. */
  bytes: string;
}

/** A list of any size. */
export interface ListQuery {
  shape: ListShape;
  args: readonly InValue[];
}

/** What stands around the entries of a list. */
interface ListFrame {
  head: string;
  /** One more entry, behind those that are stored. */
  last?: string;
  tail: string;
}

const ARRAY: ListFrame = { head: "[", tail: "]" };

interface ListDeps {
  db: Database;
  timers: Timers;
}

/**
 * The list as JSON text; a stream of it where it is long. The stream is the list of one moment (a snapshot), so no entry
 * is lost or doubled whatever is written meanwhile. It holds one page in memory and lets others go first between pages.
 */
export async function readList(
  { db, timers }: ListDeps,
  query: ListQuery,
  frame: ListFrame = ARRAY,
): Promise<string | ReadableStream<Uint8Array>> {
  const short = await readShort(db, query);
  if (short === undefined) return toStream(readLong(db, query, frame), timers);
  return frame.head + [short, frame.last ?? ""].filter(Boolean).join() + frame.tail;
}

/** The entries, or undefined where they are more than one answer should hold. */
async function readShort(db: Database, { shape, args }: ListQuery): Promise<string | undefined> {
  const known = shortQueries.get(shape);
  const sql = known ?? shortQuery(shape);
  if (!known) shortQueries.set(shape, sql);
  const { rows } = await db.$client.execute({ sql, args: [...args] });
  return Number(rows[0]?.is_short) === 1 ? String(rows[0]?.items ?? "") : undefined;
}

const shortQueries = new WeakMap<ListShape, string>();

/** One statement: it looks at the sizes first, and writes entries only where they are few. */
function shortQuery(shape: ListShape): string {
  const limit = String(LIST_DIRECT_ROWS_MAX + 1);
  const isShort = `count <= ${LIST_DIRECT_ROWS_MAX} AND bytes <= ${LIST_PAGE_BYTES}`;
  return `SELECT ${isShort} AS is_short, CASE WHEN ${isShort} THEN (${itemsOf(shape, limit)}) END AS items
    FROM (SELECT count(*) AS count, total(bytes) AS bytes FROM (${windowOf(shape, "bytes", limit)}))`;
}

async function* readLong(
  db: Database,
  query: ListQuery,
  { head, last, tail }: ListFrame,
): AsyncGenerator<string> {
  if (!(db.$client instanceof EmbeddedClient)) throw new TypeError("Lists need an embedded file.");
  using snapshot = await db.$client.openSnapshot();
  let separator = head;
  for await (const items of readPages(snapshot, query)) {
    if (items === "") continue;
    yield separator + items;
    separator = ",";
  }
  if (last !== undefined) yield separator + last;
  else if (separator === head) yield head;
  yield tail;
}

async function* readPages(snapshot: Snapshot, { shape, args }: ListQuery): AsyncGenerator<string> {
  const keys = shape.order.map((_, at) => `key${at}`);
  let after: InValue[] | undefined;
  for (;;) {
    const given = [...args, ...(after ?? [])];
    const rows = snapshot.all(windowOf(shape, "bytes", "?", after), [...given, LIST_PAGE_ROWS_MAX]);
    const taken = rows.slice(0, rowsWithin(rows.map(({ bytes }) => Number(bytes))));
    const end = taken.at(-1);
    if (!end) return;
    const [page] = snapshot.all(itemsOf(shape, "?", after), [...given, taken.length]);
    yield String(page?.items ?? "");
    if (rows.length < LIST_PAGE_ROWS_MAX && taken.length === rows.length) return;
    after = keys.map((key) => end[key] ?? null);
    await setImmediate();
  }
}

/** How many rows a page takes: as many as fit, one at least. */
function rowsWithin(sizes: readonly number[]): number {
  let sum = 0;
  const over = sizes.findIndex((size) => {
    sum += size;
    return sum > LIST_PAGE_BYTES;
  });
  return over < 0 ? sizes.length : Math.max(1, over);
}

/** The next rows in the order of the list. */
function windowOf(
  shape: ListShape,
  column: "bytes" | "item",
  limit: string,
  after?: unknown,
): string {
  const { from, where, order, direction } = shape;
  const keys = order.map((key, at) => `${key} AS key${at}`).join(", ");
  const beyond = direction === "ASC" ? ">" : "<";
  const marks = order.map(() => "?").join(", ");
  const rest = after ? ` AND (${order.join(", ")}) ${beyond} (${marks})` : "";
  const sorted = order.map((key) => `${key} ${direction}`).join(", ");
  return `SELECT ${shape[column]} AS ${column}, ${keys} FROM ${from} WHERE ${where}${rest} ORDER BY ${sorted} LIMIT ${limit}`;
}

// The rows of a subquery with ORDER BY and LIMIT arrive in that order; to sort them again costs a fifth.
function itemsOf(shape: ListShape, limit: string, after?: unknown): string {
  return `SELECT group_concat(item, ',') AS items FROM (${windowOf(shape, "item", limit, after)})`;
}

function toStream(chunks: AsyncGenerator<string>, timers: Timers): ReadableStream<Uint8Array> {
  let stopTimer = () => {};
  const end = async () => {
    stopTimer();
    await chunks.return(undefined);
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        stopTimer = timers.after(LIST_READ_MS_MAX, () => {
          controller.error(new Error("The list was read too slowly."));
          void end();
        });
      },
      async pull(controller) {
        const next = await chunks.next();
        if (!next.done) return controller.enqueue(utf8(next.value));
        await end();
        controller.close();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}

/** SQL that writes an object; the values are SQL, by the names of the wire. */
export function jsonObject(fields: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(fields).map(([name, value]) => `'${name}', ${value}`);
  return `json_object(${pairs.join(", ")})`;
}

/** SQL that counts the bytes of texts, without reading them. */
export function bytesOf(...columns: readonly string[]): string {
  return columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(" + ");
}
