import { and, desc, eq, sql } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import { isLiveAt } from "../db/live-session.ts";
import { type SessionRow, sessions } from "../db/schema.ts";

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
