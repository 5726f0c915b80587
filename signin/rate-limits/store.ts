import { eq, sql } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import { rateLimits } from "../db/schema.ts";

/** The counter of a key after one more request, and when its window began. */
interface CountedWindow {
  count: number;
  windowStart: number;
}

/** Counts one request in one statement. After the end of a window, the next one begins. */
export async function incrementCounter(
  db: Database,
  { key, windowSec, now }: { key: string; windowSec: number; now: number },
): Promise<CountedWindow> {
  const { windowStart, count } = rateLimits;
  const isOver = sql`${windowStart} <= ${now - windowSec}`;
  const [row] = await db
    .insert(rateLimits)
    .values({ key, windowStart: now, count: 1 })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        count: sql`CASE WHEN ${isOver} THEN 1 ELSE ${count} + 1 END`,
        windowStart: sql`CASE WHEN ${isOver} THEN ${now} ELSE ${windowStart} END`,
      },
    })
    .returning({ count, windowStart });
  return row ?? { count: 1, windowStart: now };
}

export async function deleteCounter(db: Database, key: string): Promise<void> {
  await db.delete(rateLimits).where(eq(rateLimits.key, key));
}
