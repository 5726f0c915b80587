import { and, gt, isNull } from "drizzle-orm";
import { type Database, readFirst } from "../../shared/database.ts";
import type { Condition } from "./condition.ts";
import { sessions } from "./schema.ts";

/** SQL: whether a row of `sessions` is neither revoked nor expired. `now` is SQL, too. */
export function isLiveSession(now: string): string {
  return `revoked_at IS NULL AND expires_at > ${now} AND idle_expires_at > ${now}`;
}

/** SQL: whether the session `:sessionId` of the user `:userId` is live. `now` is SQL. */
export function hasLiveSession(now: string): string {
  return `EXISTS (SELECT 1 FROM sessions WHERE id = :sessionId AND user_id = :userId AND ${isLiveSession(now)})`;
}

/** Whether the session was inserted, for statements behind that one in a batch. */
export function hasSession(sessionId: string): Condition {
  return { sql: "EXISTS (SELECT 1 FROM sessions WHERE id = :sessionId)", args: { sessionId } };
}

/** The same as `isLiveSession` for the drizzle builder. */
export function isLiveAt(now: number) {
  const { revokedAt, expiresAt, idleExpiresAt } = sessions;
  return and(isNull(revokedAt), gt(expiresAt, now), gt(idleExpiresAt, now));
}

const LIVE_SESSION = `SELECT user_id FROM sessions WHERE id = :id AND ${isLiveSession(":now")}`;

/** The user of a live session. One indexed read for each request: a revocation has effect at once. */
export async function findUserOfLiveSession(
  db: Database,
  args: { id: string; now: number },
): Promise<string | undefined> {
  const [userId] = (await readFirst(db, LIVE_SESSION, args)) ?? [];
  // The column is a text that is never null.
  return userId as string | undefined;
}
