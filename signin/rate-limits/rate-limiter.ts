import type { RateLimit } from "../limits.ts";

/** Whether a request may go on. Where not: when to come back, and whether it is the first one that the window refused. */
export type RateDecision =
  | { ok: true }
  | { ok: false; retryAfterSec: number; isFirstRefusal: boolean };

/** Counts requests by key in fixed windows. Concurrent calls never let more than `limit` through. */
export interface RateLimiter {
  consume(key: string, limit: RateLimit): Promise<RateDecision>;
  /** Begins anew, as after a sign-in that succeeded. */
  clear(key: string, limit: RateLimit): Promise<void>;
}

/** The decision for the `count`-th request of a window that began at `windowStart`; times in seconds. */
export function decide(
  { limit, windowSec }: RateLimit,
  { count, windowStart, now }: { count: number; windowStart: number; now: number },
): RateDecision {
  if (count <= limit) return { ok: true };
  const retryAfterSec = Math.max(1, windowStart + windowSec - now);
  return { ok: false, retryAfterSec, isFirstRefusal: count === limit + 1 };
}

/** Two limiters as one: what must survive a restart goes to `durable`, the rest to `transient`. */
export function createLayeredLimiter(layers: {
  durable: RateLimiter;
  transient: RateLimiter;
}): RateLimiter {
  const layerOf = ({ durable = false }: RateLimit) => (durable ? layers.durable : layers.transient);
  return {
    consume: (key, limit) => layerOf(limit).consume(key, limit),
    clear: (key, limit) => layerOf(limit).clear(key, limit),
  };
}
