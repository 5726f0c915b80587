import { setImmediate } from "node:timers/promises";
import type { Database } from "../../shared/database.ts";
import { Slices } from "../files/slices.ts";
import { LOOP_SLICE_MS } from "../limits.ts";
import { readIndexed, readPiece } from "./index-store.ts";
import {
  MESSAGE_MATCHES_MAX,
  MESSAGE_PIECES_MAX,
  MESSAGE_SEARCH_MS_MAX,
  MESSAGE_WINDOW_MAX,
  MESSAGE_WINDOW_MIN,
} from "./limits.ts";
import type { MessageIndex } from "./message-index.ts";
import { countWords, type Held, scoresOf } from "./rank.ts";
import {
  type Ids,
  idsWithin,
  listMatches,
  longWithin,
  type Match,
  readFound,
  type Window,
} from "./store.ts";
import { fold, queryWords, toExpression } from "./terms.ts";
import type { MessageHit, MessageSearch } from "./wire.ts";

/**
 * The best messages first. Those with every word of the query; if there are none, those with any. Of very many matches the
 * newest are ranked. A search of any size reads in slices and ends in bounded time.
 */
export async function searchMessages(
  { db, index }: { db: Database; index: MessageIndex },
  { query, limit, workspaceUuid, threadUuid }: MessageSearch,
): Promise<MessageHit[]> {
  const terms = queryWords(query);
  if (terms.length === 0) return [];
  await index.catchUp();
  const { upTo } = await readIndexed(db);
  const scope = { workspaceUuid, threadUuid };
  const short = await idsWithin(db, upTo, scope);
  const long = await longWithin(db, short);
  const words = terms.map(toExpression);
  const find = async (isEvery: boolean) => {
    const list = (length: "short" | "long") => (ids: Window) =>
      listMatches(db, length, { words, isEvery }, scope, ids);
    const among = await newestWithin(short, 1, list("short"));
    return among.concat(await newestWithin(long, MESSAGE_PIECES_MAX, list("long")));
  };
  let matches = await find(true);
  if (matches.length === 0 && words.length > 1) matches = await find(false);
  matches.sort((left, right) => right.id - left.id).splice(MESSAGE_MATCHES_MAX);
  const counted = await countAll(db, matches, terms.map(fold));
  const scores = scoresOf(counted, upTo);
  const best = counted
    .map(({ id, snippet }, at) => ({ id, snippet, score: scores[at] ?? 0 }))
    .sort((left, right) => right.score - left.score || right.id - left.id);
  const hits: MessageHit[] = [];
  for (const { id, ...shown } of best.slice(0, limit)) {
    const message = await readFound(db, id);
    if (message) hits.push({ ...message, ...shown });
  }
  return hits;
}

/** Reads backwards, window by window; a window adapts to the time that it takes. */
async function newestWithin(
  { low, high }: Ids,
  rowsOfMessage: number,
  list: (ids: Window) => Promise<Match[]>,
): Promise<Match[]> {
  const matches: Match[] = [];
  const endsAt = performance.now() + MESSAGE_SEARCH_MS_MAX;
  let window = MESSAGE_WINDOW_MIN * 4;
  let top = high;
  while (top >= low && matches.length < MESSAGE_MATCHES_MAX && performance.now() < endsAt) {
    const startedAt = performance.now();
    const bottom = Math.max(low, top + 1 - Math.floor(window / rowsOfMessage));
    const limit = MESSAGE_MATCHES_MAX - matches.length;
    matches.push(...(await list({ low: bottom, high: top, limit })));
    const factor = performance.now() - startedAt > LOOP_SLICE_MS ? 0.5 : 2;
    window = Math.min(MESSAGE_WINDOW_MAX, Math.max(MESSAGE_WINDOW_MIN, window * factor));
    top = bottom - 1;
    await setImmediate();
  }
  return matches;
}

type Counted = Held & { id: number };

/** Reads and counts, the newest first. */
async function countAll(db: Database, matches: readonly Match[], words: string[]) {
  const counted: Counted[] = [];
  const endsAt = performance.now() + MESSAGE_SEARCH_MS_MAX;
  const slices = new Slices();
  for (const { id, pieces } of matches) {
    if (performance.now() >= endsAt) break;
    let held: Held | undefined;
    for (const piece of pieces) {
      await slices.rest();
      held = countWords(await readPiece(db, id, piece), words, held);
    }
    if (held) counted.push({ ...held, id });
  }
  return counted;
}
