import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "../../shared/database.ts";

/** A step of the cleanup: at most `limit` rows that ended before `before`, in unix seconds. */
export interface CleanupStep {
  before: number;
  limit: number;
}

/** Deletes at most `limit` rows of a table where `isOld` holds. `key` is its primary key. Returns how many. */
export async function deleteRows(
  db: Database,
  { table, key, isOld }: { table: SQLiteTable; key: SQLiteColumn; isOld: SQL | undefined },
  limit: number,
): Promise<number> {
  const old = db.select({ key }).from(table).where(isOld).limit(limit);
  const deleted = await db.delete(table).where(sql`${key} IN ${old}`).returning({ key });
  return deleted.length;
}
