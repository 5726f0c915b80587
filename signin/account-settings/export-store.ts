import { and, asc, count, desc, eq, lt } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import {
  type AuditEventRow,
  apiKeys,
  auditEvents,
  identities,
  passkeys,
  sessions,
  users,
} from "../db/schema.ts";
import { getFactorState } from "../second-factor/store.ts";

/** The rows of an account, but for its events; undefined if it was deleted. */
export async function findStored(db: Database, userId: string) {
  const [user, logins, keys, ownPasskeys, ownSessions, stored, factor] = await Promise.all([
    db.select().from(users).where(eq(users.id, userId)).get(),
    db
      .select()
      .from(identities)
      .where(eq(identities.userId, userId))
      .orderBy(asc(identities.linkedAt)),
    db.select().from(apiKeys).where(eq(apiKeys.userId, userId)).orderBy(asc(apiKeys.connectedAt)),
    db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.createdAt)),
    db.select().from(sessions).where(eq(sessions.userId, userId)).orderBy(asc(sessions.createdAt)),
    db.select({ count: count() }).from(auditEvents).where(eq(auditEvents.userId, userId)).get(),
    getFactorState(db, userId),
  ]);
  if (!user) return undefined;
  const events = stored?.count ?? 0;
  return { user, logins, keys, passkeys: ownPasskeys, sessions: ownSessions, events, factor };
}

/** A page of the events of an account, the newest first, from the one before `before`. */
export function listEventsBefore(
  db: Database,
  { userId, before, limit }: { userId: string; before: number; limit: number },
): Promise<AuditEventRow[]> {
  return db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.userId, userId), lt(auditEvents.id, before)))
    .orderBy(desc(auditEvents.id))
    .limit(limit);
}
