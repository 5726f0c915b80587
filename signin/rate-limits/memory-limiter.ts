import type { Clock } from "../../shared/clock.ts";
import { RATE_KEYS_IN_MEMORY_MAX } from "../limits.ts";
import { decide, type RateLimiter } from "./rate-limiter.ts";

/**
 * Counters of one process, for buckets that may start anew with it. Exact on Node, where one process serves everybody; on
 * Workers each isolate would count for itself. Where there are too many keys, the one that began longest ago is given up.
 */
export function createMemoryLimiter(clock: Clock): RateLimiter {
  const windows = new Map<string, { start: number; count: number; endsAt: number }>();

  return {
    async consume(key, limit) {
      const now = Math.floor(clock.now() / 1000);
      let window = windows.get(key);
      if (!window || window.endsAt <= now) {
        windows.delete(key);
        window = { start: now, count: 0, endsAt: now + limit.windowSec };
        windows.set(key, window);
        if (windows.size > RATE_KEYS_IN_MEMORY_MAX) {
          const [oldest] = windows.keys();
          if (oldest !== undefined) windows.delete(oldest);
        }
      }
      window.count += 1;
      return decide(limit, { count: window.count, windowStart: window.start, now });
    },
    async clear(key) {
      windows.delete(key);
    },
  };
}
