/** A number of requests in each window of `windowSec`, counted under a key. */
export interface Counter {
  key: string;
  limit: number;
  windowSec: number;
  /** Whether the count survives a restart. */
  durable?: boolean | undefined;
}

/** Whether a request is within its limits, otherwise when to retry. */
export type RateDecision = { ok: true } | { ok: false; retryAfterSec: number };

/** Counts requests by key in fixed windows. Concurrent calls never admit more than `limit`. */
export interface RateLimiter {
  /** Counts one request in each counter, or in none if one has no room: a refusal writes nothing. */
  consume(counters: readonly Counter[]): Promise<RateDecision>;
  /** Resets a count, as after a successful sign-in. */
  clear(counter: Counter): Promise<void>;
}

/** What a counter has counted in the window that began at `windowStart`, in unix seconds. */
export interface CountedWindow {
  count: number;
  windowStart: number;
}

/** Seconds until a counter has room; undefined if it has room now. */
export function secondsUntilRoom(
  { limit, windowSec }: Counter,
  window: CountedWindow | undefined,
  now: number,
): number | undefined {
  if (!window || window.count < limit || window.windowStart <= now - windowSec) return undefined;
  return Math.max(1, window.windowStart + windowSec - now);
}

/** Two limiters as one: counts that must survive a restart are in `durable`, the others in `transient`. */
export function createLayeredLimiter(layers: {
  durable: RateLimiter;
  transient: RateLimiter;
}): RateLimiter {
  const layerOf = (counter: Counter | undefined) =>
    counter?.durable ? layers.durable : layers.transient;
  return {
    // The counters of a call are those of one limit.
    consume: (counters) => layerOf(counters[0]).consume(counters),
    clear: (counter) => layerOf(counter).clear(counter),
  };
}
