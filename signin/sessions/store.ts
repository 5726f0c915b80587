import { and, desc, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import { type SessionRow, sessions } from "../db/schema.ts";
import type { RevokeReason } from "../tokens/session-store.ts";

/** A session as its user and the operator see it. */
export type LiveSession = Pick<SessionRow, "id" | "kind" | "createdAt" | "lastSeenAt">;

/** The sessions that can still be refreshed, the most recently used first. */
export function listLiveSessions(
  db: Database,
  { userId, now }: { userId: string; now: number },
): Promise<LiveSession[]> {
  const { id, kind, createdAt, lastSeenAt } = sessions;
  return db
    .select({ id, kind, createdAt, lastSeenAt })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isLive(now)))
    .orderBy(desc(lastSeenAt), desc(createdAt), desc(sql`rowid`));
}

/** Ends a session where it is the user's own and still alive; false where not. */
export async function revokeOwnSession(
  db: Database,
  { id, userId, now, reason }: { id: string; userId: string; now: number; reason: RevokeReason },
): Promise<boolean> {
  const rows = await db
    .update(sessions)
    .set({ revokedAt: now, revokeReason: reason })
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId), isLive(now)))
    .returning({ id: sessions.id });
  return rows.length > 0;
}

/** Forgets up to `limit` sessions that ended before `before`; returns how many. */
export async function deleteOldSessions(
  db: Database,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const old = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      or(
        lt(sessions.expiresAt, before),
        lt(sessions.idleExpiresAt, before),
        lt(sessions.revokedAt, before),
      ),
    )
    .limit(limit);
  const gone = await db
    .delete(sessions)
    .where(sql`${sessions.id} IN ${old}`)
    .returning({ id: sessions.id });
  return gone.length;
}

function isLive(now: number) {
  return and(
    isNull(sessions.revokedAt),
    gt(sessions.expiresAt, now),
    gt(sessions.idleExpiresAt, now),
  );
}
