import type { RateLimit } from "../limits.ts";

/** Whether a request is within the limit. Otherwise when to retry, and whether it is the first refusal of the window. */
export type RateDecision =
  | { ok: true }
  | { ok: false; retryAfterSec: number; isFirstRefusal: boolean };

/** Counts requests by key in fixed windows. Concurrent calls never admit more than `limit`. */
export interface RateLimiter {
  consume(key: string, limit: RateLimit): Promise<RateDecision>;
  /** Resets a count, as after a successful sign-in. */
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

/** Two limiters as one: counts that must survive a restart are in `durable`, the others in `transient`. */
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
