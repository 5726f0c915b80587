import { and, desc, eq, sql } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import { isLiveAt } from "../db/live-session.ts";
import { type SessionRow, sessions } from "../db/schema.ts";
import type { RevokeReason } from "../tokens/session-store.ts";

/** A session as its user and the operator see it. */
export type LiveSession = Pick<
  SessionRow,
  "id" | "kind" | "createdAt" | "lastSeenAt" | "ipPrefix" | "userAgent"
>;

/** The sessions that can still be refreshed, the most recently used first. */
export function listLiveSessions(
  db: Database,
  { userId, now }: { userId: string; now: number },
): Promise<LiveSession[]> {
  const { id, kind, createdAt, lastSeenAt, ipPrefix, userAgent } = sessions;
  return db
    .select({ id, kind, createdAt, lastSeenAt, ipPrefix, userAgent })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isLiveAt(now)))
    .orderBy(desc(lastSeenAt), desc(createdAt), desc(sql`rowid`));
}

/** Ends a live session of this user; false where it is neither. */
export async function revokeOwnSession(
  db: Database,
  { id, userId, now, reason }: { id: string; userId: string; now: number; reason: RevokeReason },
): Promise<boolean> {
  const rows = await db
    .update(sessions)
    .set({ revokedAt: now, revokeReason: reason })
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId), isLiveAt(now)))
    .returning({ id: sessions.id });
  return rows.length > 0;
}
