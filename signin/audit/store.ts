import { and, desc, eq, gt } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import { type AuditEventRow, auditEvents } from "../db/schema.ts";

export type NewAuditEvent = Omit<AuditEventRow, "id">;

/** In their order. */
export async function insertEvents(db: Database, events: NewAuditEvent[]): Promise<void> {
  await db.insert(auditEvents).values(events);
}

/** The newest first. */
export function listEvents(
  db: Database,
  { userId, limit }: { userId: string; limit: number },
): Promise<AuditEventRow[]> {
  return db
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.userId, userId))
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
