import { eq, inArray } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import { rateLimits } from "../db/schema.ts";
import type { CountedWindow, Counter } from "./rate-limiter.ts";

/**
 * Counts one request in each counter, if all of them have room. One statement changes all rows, or none. After the end of a
 * window, the next one begins.
 */
export async function countWithin(
  db: Database,
  counters: readonly Counter[],
  now: number,
): Promise<boolean> {
  const { rows } = await db.$client.execute({
    sql: `INSERT INTO rate_limits (k, ws, n)
          SELECT c.value ->> 'key', iif(old.ws > :now - (c.value ->> 'windowSec'), old.ws, :now),
            iif(old.ws > :now - (c.value ->> 'windowSec'), old.n + 1, 1)
          FROM json_each(:counters) AS c LEFT JOIN rate_limits AS old ON old.k = c.value ->> 'key'
          WHERE NOT EXISTS (
            SELECT 1 FROM json_each(:counters) AS other JOIN rate_limits AS used ON used.k = other.value ->> 'key'
            WHERE used.ws > :now - (other.value ->> 'windowSec') AND used.n >= (other.value ->> 'limit'))
          ON CONFLICT (k) DO UPDATE SET ws = excluded.ws, n = excluded.n RETURNING k`,
    args: { counters: JSON.stringify(counters), now },
  });
  return rows.length > 0;
}

/** What these counters have counted, by their keys. */
export async function listCounted(
  db: Database,
  counters: readonly Counter[],
): Promise<Map<string, CountedWindow>> {
  const keys = counters.map(({ key }) => key);
  const rows = await db.select().from(rateLimits).where(inArray(rateLimits.key, keys));
  return new Map(rows.map(({ key, ...window }) => [key, window]));
}

export async function deleteCounter(db: Database, key: string): Promise<void> {
  await db.delete(rateLimits).where(eq(rateLimits.key, key));
}
