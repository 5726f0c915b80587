import { lt, or, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "../../shared/database.ts";
import {
  auditEvents,
  emailCodes,
  invitations,
  nativeCodes,
  rateLimits,
  sessions,
  usedNonces,
} from "../db/schema.ts";

interface Ended {
  table: SQLiteTable;
  /** Its primary key. */
  key: SQLiteColumn;
  /** The times of a row. It has ended with the first of them. */
  ends: readonly SQLiteColumn[];
}

const { expiresAt, idleExpiresAt, revokedAt } = sessions;
const ENDED = {
  used_nonces: { table: usedNonces, key: usedNonces.nonceHash, ends: [usedNonces.expiresAt] },
  native_codes: { table: nativeCodes, key: nativeCodes.codeHash, ends: [nativeCodes.expiresAt] },
  email_codes: { table: emailCodes, key: emailCodes.id, ends: [emailCodes.expiresAt] },
  invitations: { table: invitations, key: invitations.emailNorm, ends: [invitations.expiresAt] },
  sessions: { table: sessions, key: sessions.id, ends: [expiresAt, idleExpiresAt, revokedAt] },
  rate_limits: { table: rateLimits, key: rateLimits.key, ends: [rateLimits.windowStart] },
  audit_events: { table: auditEvents, key: auditEvents.id, ends: [auditEvents.at] },
} satisfies Record<string, Ended>;

/** The kinds of rows that end. */
export type EndedKind = keyof typeof ENDED;

/** Deletes at most `limit` rows that ended before `before`, in unix seconds. Returns how many. */
export async function deleteEnded(
  db: Database,
  kind: EndedKind,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const { table, key, ends }: Ended = ENDED[kind];
  const isOld = or(...ends.map((end) => lt(end, before)));
  const old = db.select({ key }).from(table).where(isOld).limit(limit);
  const deleted = await db.delete(table).where(sql`${key} IN ${old}`).returning({ key });
  return deleted.length;
}
