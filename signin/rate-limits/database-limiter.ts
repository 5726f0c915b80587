import type { Clock } from "../../shared/clock.ts";
import type { Database } from "../../shared/database.ts";
import { unixNow } from "../db/time.ts";
import { decide, type RateLimiter } from "./rate-limiter.ts";
import { deleteCounter, incrementCounter } from "./store.ts";

/** Counters that survive a restart and that all isolates share. */
export function createDatabaseLimiter(db: Database, clock: Clock): RateLimiter {
  return {
    async consume(key, limit) {
      const now = unixNow(clock);
      const counted = await incrementCounter(db, { key, windowSec: limit.windowSec, now });
      return decide(limit, { ...counted, now });
    },
    clear: (key) => deleteCounter(db, key),
  };
}
