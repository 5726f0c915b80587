import type { Clock } from "../../shared/clock.ts";
import { RATE_KEYS_IN_MEMORY_MAX, RATE_KEYS_SWEPT } from "../limits.ts";
import { type Counter, type RateLimiter, secondsUntilRoom } from "./rate-limiter.ts";

interface Window {
  start: number;
  count: number;
  endsAt: number;
}

/**
 * Counters of one process, for buckets that need not survive a restart. Exact on Node, where one process serves all requests;
 * on Workers each isolate would count for itself. Where there are too many keys, one with the lowest count is dropped, so
 * that a client cannot drop its own high count with requests under many other keys.
 */
export function createMemoryLimiter(clock: Clock): RateLimiter {
  // By the binary logarithm of the count: a request rarely moves its key to another level.
  const levels: Map<string, Window>[] = Array.from({ length: LEVELS }, () => new Map());
  let size = 0;
  let sweep = sweeper(levels);

  function find(key: string): Window | undefined {
    for (const level of levels) {
      const window = level.get(key);
      if (window) return window;
    }
    return undefined;
  }

  function remove(key: string, window: Window): void {
    if (levels[levelOf(window)]?.delete(key)) size -= 1;
  }

  function add(key: string, window: Window): void {
    levels[levelOf(window)]?.set(key, window);
    size += 1;
  }

  /** Checks the next few keys, and deletes those whose window has ended. */
  function deleteExpired(now: number): void {
    for (let looked = 0; looked < RATE_KEYS_SWEPT; looked += 1) {
      const next = sweep.next();
      if (next.done) {
        sweep = sweeper(levels);
        return;
      }
      const [key, window] = next.value;
      if (window.endsAt <= now) remove(key, window);
    }
  }

  function deleteLowest(): void {
    const lowest = levels.find((level) => level.size > 0);
    const [entry] = lowest ?? [];
    if (entry) remove(...entry);
  }

  function count({ key, windowSec }: Counter, now: number): void {
    let window = find(key);
    if (window) remove(key, window);
    if (!window || window.endsAt <= now) {
      window = { start: now, count: 0, endsAt: now + windowSec };
      deleteExpired(now);
      if (size >= RATE_KEYS_IN_MEMORY_MAX) deleteLowest();
    }
    window.count += 1;
    add(key, window);
  }

  function secondsUntil(counter: Counter, now: number): number {
    const window = find(counter.key);
    const counted = window && { count: window.count, windowStart: window.start };
    return secondsUntilRoom(counter, counted, now) ?? 0;
  }

  return {
    async consume(counters) {
      const now = Math.floor(clock.now() / 1000);
      const retryAfterSec = Math.max(...counters.map((counter) => secondsUntil(counter, now)));
      if (retryAfterSec > 0) return { ok: false, retryAfterSec };
      for (const counter of counters) count(counter, now);
      return { ok: true };
    },
    async clear({ key }) {
      const window = find(key);
      if (window) remove(key, window);
    },
  };
}

// Limits are far below 2^12; higher counts share the last level.
const LEVELS = 13;

function levelOf({ count }: Window): number {
  return Math.min(LEVELS - 1, Math.floor(Math.log2(count)));
}

function* sweeper(levels: readonly Map<string, Window>[]): Generator<[string, Window]> {
  for (const level of levels) yield* level;
}
