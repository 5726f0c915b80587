import { setImmediate } from "node:timers/promises";
import type { Database } from "../../shared/database.ts";
import { LOOP_SLICE_MS } from "../limits.ts";
import { type IndexedRange, readRange } from "./index-store.ts";
import {
  MESSAGE_MATCHES_MAX,
  MESSAGE_MATCHES_PER_READ,
  MESSAGE_SEARCH_MS_MAX,
  MESSAGE_WINDOW_MAX,
  MESSAGE_WINDOW_MIN,
} from "./limits.ts";
import type { MessageIndex } from "./message-index.ts";
import { countWords, type Held, scoresOf } from "./rank.ts";
import { type FoundMessage, listMatches, narrowed, readFound, type SearchScope } from "./store.ts";
import { fold, queryWords, toExpression } from "./terms.ts";
import type { MessageHit, MessageSearch } from "./wire.ts";

interface SearchDeps {
  db: Database;
  index: MessageIndex;
}

/**
 * The best messages first. Those with every word of the query; where there are none, those with any. Of very many matches the
 * newest are ranked. A search of any size reads in slices and ends in bounded time.
 */
export async function searchMessages(
  { db, index }: SearchDeps,
  { query, limit, workspaceUuid, threadUuid }: MessageSearch,
): Promise<MessageHit[]> {
  const words = queryWords(query);
  if (words.length === 0) return [];
  await index.catchUp();
  const range = await readRange(db);
  const scope = { workspaceUuid, threadUuid };
  const within = await narrowed(db, range, scope);
  const expressions = words.map(toExpression);
  let ids = await listNewestMatches(db, expressions.join(" AND "), scope, within);
  if (ids.length === 0 && words.length > 1) {
    ids = await listNewestMatches(db, expressions.join(" OR "), scope, within);
  }
  const found = await readAll(db, ids, words.map(fold));
  const scores = scoresOf(
    found.map(({ held }) => held),
    range.high - range.low + 1,
  );
  return found
    .map((each, at) => ({ ...each, score: scores[at] ?? 0 }))
    .sort((left, right) => right.score - left.score || right.message.id - left.message.id)
    .slice(0, limit)
    .map(toHit);
}

/** Reads backwards, window by window; a window adapts to the time that it takes. */
async function listNewestMatches(
  db: Database,
  expression: string,
  scope: SearchScope,
  { low, high }: IndexedRange,
): Promise<number[]> {
  const ids: number[] = [];
  const endsAt = performance.now() + MESSAGE_SEARCH_MS_MAX;
  let window = MESSAGE_WINDOW_MIN * 4;
  let top = high;
  while (top >= low && ids.length < MESSAGE_MATCHES_MAX && performance.now() < endsAt) {
    const startedAt = performance.now();
    const bottom = Math.max(low, top - window + 1);
    const limit = MESSAGE_MATCHES_MAX - ids.length;
    ids.push(...(await listMatches(db, expression, scope, { low: bottom, high: top, limit })));
    const tookMs = performance.now() - startedAt;
    const factor = tookMs > LOOP_SLICE_MS ? 0.5 : 2;
    window = Math.min(MESSAGE_WINDOW_MAX, Math.max(MESSAGE_WINDOW_MIN, window * factor));
    top = bottom - 1;
    await setImmediate();
  }
  return ids;
}

interface Found {
  message: FoundMessage;
  held: Held;
}

/** Reads and counts, the newest first. */
async function readAll(db: Database, ids: readonly number[], words: string[]): Promise<Found[]> {
  const found: Found[] = [];
  const endsAt = performance.now() + MESSAGE_SEARCH_MS_MAX;
  let startedAt = performance.now();
  let rest = ids;
  while (rest.length > 0 && performance.now() < endsAt) {
    const messages = await readFound(db, rest.slice(0, MESSAGE_MATCHES_PER_READ));
    for (const message of messages) {
      if (performance.now() - startedAt >= LOOP_SLICE_MS) {
        await setImmediate();
        startedAt = performance.now();
      }
      found.push({ message, held: countWords(message.text, words) });
    }
    const last = messages.at(-1)?.id;
    rest =
      last === undefined ? rest.slice(MESSAGE_MATCHES_PER_READ) : rest.filter((id) => id < last);
  }
  return found;
}

function toHit({ message, held, score }: Found & { score: number }): MessageHit {
  const { id: _id, text: _text, ...fields } = message;
  return { ...fields, snippet: held.snippet, score };
}
