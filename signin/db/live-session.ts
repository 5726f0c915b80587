import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { type Database, preparedOnce } from "../../shared/database.ts";
import { type SessionRow, sessions } from "./schema.ts";

/** SQL: whether a row of `sessions` is neither revoked nor over; `now` is SQL, too. */
export function isLiveSession(now: string): string {
  return `revoked_at IS NULL AND expires_at > ${now} AND idle_expires_at > ${now}`;
}

const liveSessionQuery = preparedOnce((db) =>
  db
    .select({ id: sessions.id, userId: sessions.userId })
    .from(sessions)
    .where(
      and(
        eq(sessions.id, sql.placeholder("id")),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, sql.placeholder("now")),
        gt(sessions.idleExpiresAt, sql.placeholder("now")),
      ),
    )
    .prepare(),
);

/** The session where it is neither revoked nor over. One indexed read: revocation holds at once. */
export function findLiveSession(
  db: Database,
  { id, now }: { id: string; now: number },
): Promise<Pick<SessionRow, "id" | "userId"> | undefined> {
  return liveSessionQuery(db).get({ id, now });
}
