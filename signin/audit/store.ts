import { and, desc, eq, gt, inArray, not, or, sql } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import { type AuditEventRow, auditEvents } from "../db/schema.ts";

export type NewAuditEvent = Omit<AuditEventRow, "id">;

/** In their order. */
export async function insertEvents(db: Database, events: NewAuditEvent[]): Promise<void> {
  await db.insert(auditEvents).values(events);
}

// No session is needed for these: refused sign-ins and limits, mailed codes.
const BY_STRANGERS = sql`(${auditEvents.outcome} = 'failure' OR ${auditEvents.type} LIKE '%code_sent')`;

/** The newest first, `strangers` at most of those that strangers can cause. */
export function listEvents(
  db: Database,
  { userId, limit, strangers }: { userId: string; limit: number; strangers: number },
): Promise<AuditEventRow[]> {
  const own = eq(auditEvents.userId, userId);
  const newestByStrangers = db
    .select({ id: auditEvents.id })
    .from(auditEvents)
    .where(and(own, BY_STRANGERS))
    .orderBy(desc(auditEvents.at), desc(auditEvents.id))
    .limit(strangers);
  return db
    .select()
    .from(auditEvents)
    .where(and(own, or(not(BY_STRANGERS), inArray(auditEvents.id, newestByStrangers))))
    .orderBy(desc(auditEvents.at), desc(auditEvents.id))
    .limit(limit);
}

/** The newest first, of all accounts or of one. */
export function listNewestEvents(
  db: Database,
  {
    userId,
    type,
    limit,
  }: { userId?: string | undefined; type?: string | undefined; limit: number },
): Promise<AuditEventRow[]> {
  return db
    .select()
    .from(auditEvents)
    .where(
      and(
        userId === undefined ? undefined : eq(auditEvents.userId, userId),
        type === undefined ? undefined : eq(auditEvents.type, type),
      ),
    )
    .orderBy(desc(auditEvents.id))
    .limit(limit);
}

/** The oldest first, from the one after `after`. */
export function listEventsAfter(
  db: Database,
  { after, limit }: { after: number; limit: number },
): Promise<AuditEventRow[]> {
  return db
    .select()
    .from(auditEvents)
    .where(gt(auditEvents.id, after))
    .orderBy(auditEvents.id)
    .limit(limit);
}
