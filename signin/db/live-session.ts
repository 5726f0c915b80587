import { and, eq, gt, isNull, type Placeholder, sql } from "drizzle-orm";
import { type Database, preparedOnce } from "../../shared/database.ts";
import { type SessionRow, sessions } from "./schema.ts";

/** SQL: whether a row of `sessions` is neither revoked nor expired. `now` is SQL, too. */
export function isLiveSession(now: string): string {
  return `revoked_at IS NULL AND expires_at > ${now} AND idle_expires_at > ${now}`;
}

/** SQL: whether the session `:sessionId` of the user `:userId` is live. `now` is SQL. */
export function hasLiveSession(now: string): string {
  return `EXISTS (SELECT 1 FROM sessions WHERE id = :sessionId AND user_id = :userId AND ${isLiveSession(now)})`;
}

/** The same for the drizzle builder. */
export function isLiveAt(now: number | Placeholder) {
  const { revokedAt, expiresAt, idleExpiresAt } = sessions;
  return and(isNull(revokedAt), gt(expiresAt, now), gt(idleExpiresAt, now));
}

const liveSessionQuery = preparedOnce((db) =>
  db
    .select({ id: sessions.id, userId: sessions.userId })
    .from(sessions)
    .where(and(eq(sessions.id, sql.placeholder("id")), isLiveAt(sql.placeholder("now"))))
    .prepare(),
);

/** A live session. One indexed read for each request: a revocation has effect at once. */
export function findLiveSession(
  db: Database,
  { id, now }: { id: string; now: number },
): Promise<Pick<SessionRow, "id" | "userId"> | undefined> {
  return liveSessionQuery(db).get({ id, now });
}
