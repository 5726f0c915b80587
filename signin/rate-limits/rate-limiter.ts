import type { RateLimit } from "../limits.ts";

/** Whether a request may go on. Where not: when to come back, and whether it is the first one that the window refused. */
export type RateDecision =
  | { ok: true }
  | { ok: false; retryAfterSeconds: number; isFirstRefusal: boolean };

/** Counts requests by key in fixed windows. Concurrent calls never let more than `limit` through. */
export interface RateLimiter {
  consume(key: string, limit: RateLimit): Promise<RateDecision>;
  /** Begins anew, as after a sign-in that succeeded. */
  clear(key: string): Promise<void>;
}

/** The decision for the `count`-th request of a window that began at `windowStart`; times in seconds. */
export function decide(
  { limit, windowSec }: RateLimit,
  { count, windowStart, now }: { count: number; windowStart: number; now: number },
): RateDecision {
  if (count <= limit) return { ok: true };
  const retryAfterSeconds = Math.max(1, windowStart + windowSec - now);
  return { ok: false, retryAfterSeconds, isFirstRefusal: count === limit + 1 };
}
