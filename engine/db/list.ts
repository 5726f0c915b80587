import { setImmediate } from "node:timers/promises";
import type { InValue } from "@libsql/client";
import { utf8 } from "../../shared/bytes.ts";
import type { Timers } from "../../shared/clock.ts";
import { type Database, readFirst } from "../../shared/database.ts";
import { LIST_PAGE_BYTES, LIST_PAGE_ROWS_MAX, LIST_READ_MS_MAX } from "../limits.ts";
import { type ListShape, pageStatements, shortQuery } from "./list-shape.ts";
import { type Snapshot, SnapshotClient } from "./snapshots.ts";

/** A list of any size. */
export interface ListQuery {
  shape: ListShape;
  args: Readonly<Record<string, InValue>>;
}

/** The JSON around the entries of a list. */
interface ListFrame {
  head: string;
  /** One more entry, after the stored ones. */
  last?: string;
  tail: string;
}

const ARRAY: ListFrame = { head: "[", tail: "]" };

/**
 * The list as JSON text, or as a stream if it is long. The stream reads one snapshot, so concurrent writes neither drop
 * nor repeat an entry. It holds one page in memory and yields to other requests between pages.
 */
export async function readList(
  { db, timers }: { db: Database; timers: Timers },
  query: ListQuery,
  frame: ListFrame = ARRAY,
): Promise<string | ReadableStream<Uint8Array>> {
  const short = await readShort(db, query);
  if (short === undefined) return toStream(readLong(db, query, frame), timers);
  return frame.head + [short, frame.last ?? ""].filter(Boolean).join() + frame.tail;
}

/** The entries, or undefined if one response should not hold them all. */
async function readShort(db: Database, { shape, args }: ListQuery): Promise<string | undefined> {
  const [isShort, items] = (await readFirst(db, shortQuery(shape), args)) ?? [];
  return isShort === 1 ? String(items ?? "") : undefined;
}

async function* readLong(
  db: Database,
  query: ListQuery,
  { head, last, tail }: ListFrame,
): AsyncGenerator<Uint8Array> {
  let separator = head;
  for await (const items of readPages(db, query)) {
    yield Buffer.concat([utf8(separator), items]);
    separator = ",";
  }
  if (last !== undefined) yield utf8(separator + last);
  else if (separator === head) yield utf8(head);
  yield utf8(tail);
}

/**
 * The items of a list of one moment, page by page, as JSON with commas between them. A page adapts to what its rows hold,
 * and others go first between pages.
 */
export async function* readPages(
  db: Database,
  { shape, args }: ListQuery,
): AsyncGenerator<Buffer, void> {
  using snapshot = await openSnapshot(db);
  let statements = pageStatements(shape, false);
  let given = { ...args };
  let limit = LIST_PAGE_ROWS_MAX;
  for (;;) {
    const pageArgs = { ...given, pageRows: limit };
    const [count, bytes, ...after] = (await snapshot.first(statements.measure, pageArgs)) ?? [];
    if (Number(bytes) > LIST_PAGE_BYTES && limit > 1) {
      limit = fewerRows(Number(count), Number(bytes));
      continue;
    }
    const [items] = (await snapshot.first(statements.items, pageArgs)) ?? [];
    if (Buffer.isBuffer(items)) yield items;
    if (Number(count) < limit) return;
    given = { ...args, ...toKey(after as InValue[]) };
    statements = pageStatements(shape, true);
    limit = Math.min(LIST_PAGE_ROWS_MAX, limit * 2);
    await setImmediate();
  }
}

/** The client of engine.db alone has snapshots. */
function openSnapshot({ $client }: Database): Promise<Snapshot> {
  if (!($client instanceof SnapshotClient)) throw new TypeError("engine.db is an embedded file.");
  return $client.openSnapshot();
}

function toKey(values: readonly InValue[]): Record<string, InValue> {
  return Object.fromEntries(values.map((value, at) => [`key${at}`, value]));
}

/** How many rows would fit if all had the same length; fewer than were measured, one at least. */
function fewerRows(measured: number, bytes: number): number {
  const fitting = Math.floor((measured * LIST_PAGE_BYTES) / bytes);
  return Math.max(1, Math.min(fitting, measured - 1));
}

function toStream(chunks: AsyncGenerator<Uint8Array>, timers: Timers): ReadableStream<Uint8Array> {
  let stopTimer = () => {};
  const end = async () => {
    stopTimer();
    await chunks.return(undefined);
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        stopTimer = timers.after(LIST_READ_MS_MAX, () => {
          controller.error(cutOff("The list was read too slowly."));
          void end();
        });
      },
      async pull(controller) {
        const next = await chunks.next().catch((error: Error) => {
          stopTimer();
          throw cutOff(error.message);
        });
        if (!next.done) return controller.enqueue(next.value);
        await end();
        controller.close();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}

/** Ends the connection. The HTTP adapter prints it as it is, so that it is one line. */
function cutOff(reason: string): Error {
  const error = new Error(reason);
  error.stack = `A long list was cut off: ${reason}`;
  return error;
}
