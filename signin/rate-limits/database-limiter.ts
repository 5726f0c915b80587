import type { Clock } from "../../shared/clock.ts";
import type { Database } from "../../shared/database.ts";
import { unixNow } from "../db/time.ts";
import { type RateLimiter, secondsUntilRoom } from "./rate-limiter.ts";
import { countWithin, deleteCounter, listCounted } from "./store.ts";

/** Counters that survive a restart and that all isolates share. */
export function createDatabaseLimiter(db: Database, clock: Clock): RateLimiter {
  return {
    async consume(counters) {
      const now = unixNow(clock);
      if (await countWithin(db, counters, now)) return { ok: true };
      const counted = await listCounted(db, counters);
      const waits = counters.map((counter) => {
        return secondsUntilRoom(counter, counted.get(counter.key), now) ?? 1;
      });
      return { ok: false, retryAfterSec: Math.max(...waits) };
    },
    clear: ({ key }) => deleteCounter(db, key),
  };
}
