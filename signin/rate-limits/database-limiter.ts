import { toBase64Url, utf8 } from "../../shared/bytes.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Database } from "../../shared/database.ts";
import { unixNow } from "../db/time.ts";
import { decide, type RateLimiter } from "./rate-limiter.ts";
import { countRequest, deleteCounter } from "./store.ts";

/** What the counters need: `pseudonymKey` keeps addresses and e-mails out of the table. */
export interface DatabaseLimiterDeps {
  db: Database;
  clock: Clock;
  pseudonymKey: CryptoKey;
}

/** Counters that survive a restart and are shared by all isolates, for what guards passwords and codes. */
export function createDatabaseLimiter({
  db,
  clock,
  pseudonymKey,
}: DatabaseLimiterDeps): RateLimiter {
  // The bucket's name stays readable, for the operator.
  async function toRow(key: string): Promise<string> {
    const [bucket] = key.split(":", 1);
    const mac = await crypto.subtle.sign("HMAC", pseudonymKey, utf8(key));
    return `${bucket}:${toBase64Url(new Uint8Array(mac).subarray(0, PSEUDONYM_BYTES))}`;
  }

  return {
    async consume(key, limit) {
      const now = unixNow(clock);
      const row = await toRow(key);
      const counted = await countRequest(db, { key: row, windowSec: limit.windowSec, now });
      return decide(limit, { ...counted, now });
    },
    async clear(key) {
      await deleteCounter(db, await toRow(key));
    },
  };
}

const PSEUDONYM_BYTES = 16;
