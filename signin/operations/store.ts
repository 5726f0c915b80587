import { lt, sql } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import { authFlows, nativeCodes } from "../db/schema.ts";

interface Batch {
  before: number;
  limit: number;
}

/** Forgets up to `limit` sign-in flows that expired before `before`; returns how many. */
export async function deleteOldFlows(db: Database, { before, limit }: Batch): Promise<number> {
  const { stateHash, expiresAt } = authFlows;
  const old = db.select({ stateHash }).from(authFlows).where(lt(expiresAt, before)).limit(limit);
  const gone = await db
    .delete(authFlows)
    .where(sql`${stateHash} IN ${old}`)
    .returning({ stateHash });
  return gone.length;
}

/** Forgets up to `limit` native codes that expired before `before`; returns how many. */
export async function deleteOldNativeCodes(
  db: Database,
  { before, limit }: Batch,
): Promise<number> {
  const { codeHash, expiresAt } = nativeCodes;
  const old = db.select({ codeHash }).from(nativeCodes).where(lt(expiresAt, before)).limit(limit);
  const gone = await db
    .delete(nativeCodes)
    .where(sql`${codeHash} IN ${old}`)
    .returning({ codeHash });
  return gone.length;
}
