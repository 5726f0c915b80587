import { eq, lt, sql } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import { rateLimits } from "../db/schema.ts";

/** The counter of a key after one more request, and when its window began. */
export interface CountedWindow {
  count: number;
  windowStart: number;
}

/** Counts one request, in one statement: a window that is over begins anew. */
export async function incrementCounter(
  db: Database,
  { key, windowSec, now }: { key: string; windowSec: number; now: number },
): Promise<CountedWindow> {
  const isOver = sql`${rateLimits.ws} <= ${now - windowSec}`;
  const [row] = await db
    .insert(rateLimits)
    .values({ k: key, ws: now, n: 1 })
    .onConflictDoUpdate({
      target: rateLimits.k,
      set: {
        n: sql`CASE WHEN ${isOver} THEN 1 ELSE ${rateLimits.n} + 1 END`,
        ws: sql`CASE WHEN ${isOver} THEN ${now} ELSE ${rateLimits.ws} END`,
      },
    })
    .returning({ count: rateLimits.n, windowStart: rateLimits.ws });
  return row ?? { count: 1, windowStart: now };
}

export async function deleteCounter(db: Database, key: string): Promise<void> {
  await db.delete(rateLimits).where(eq(rateLimits.k, key));
}

/** Forgets up to `limit` counters whose window began before `before`; returns how many. */
export async function deleteOldCounters(
  db: Database,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const old = db
    .select({ k: rateLimits.k })
    .from(rateLimits)
    .where(lt(rateLimits.ws, before))
    .limit(limit);
  const gone = await db
    .delete(rateLimits)
    .where(sql`${rateLimits.k} IN ${old}`)
    .returning({ k: rateLimits.k });
  return gone.length;
}
