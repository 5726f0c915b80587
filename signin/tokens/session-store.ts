import type { Database } from "../../shared/database.ts";
import { isLiveSession } from "../db/live-session.ts";
import type { SessionRow } from "../db/schema.ts";
import { userJson } from "../db/user-json.ts";
import { SESSIONS_PER_USER_MAX } from "../limits.ts";

/** Why a session ended. */
export type RevokeReason =
  | "logout"
  | "reuse"
  | "replay"
  | "limit"
  | "password_reset"
  | "user_request"
  | "admin";

export type NewSession = Pick<
  SessionRow,
  "id" | "userId" | "kind" | "createdAt" | "idleExpiresAt" | "expiresAt" | "ipPrefix" | "userAgent"
>;

/**
 * SQL that must hold for the session to begin, by default that there is such a user. It may use `:id` and `:userId` of the
 * session beside its own arguments.
 */
export interface SessionCondition {
  sql: string;
  args: Record<string, string>;
}

/**
 * The statements that begin a session, for a batch of the caller's: the row (its id comes back, unless the condition does
 * not hold), then the end of the user's oldest sessions beyond the limit, then the user as JSON in a column named `user`.
 */
export function insertSessionStatements(session: NewSession, condition?: SessionCondition) {
  const { id, userId, kind, createdAt, idleExpiresAt, expiresAt, ipPrefix, userAgent } = session;
  const values = { id, userId, kind, createdAt, idleExpiresAt, expiresAt, ipPrefix, userAgent };
  return [
    {
      sql: `INSERT INTO sessions (id, user_id, kind, counter, rotated_at, created_at, last_seen_at,
              idle_expires_at, expires_at, ip_prefix, user_agent)
            SELECT :id, :userId, :kind, 0, :createdAt, :createdAt, :createdAt, :idleExpiresAt, :expiresAt,
              :ipPrefix, :userAgent
            WHERE ${condition?.sql ?? "EXISTS (SELECT 1 FROM users WHERE id = :userId)"}
            RETURNING id`,
      args: { ...values, ...condition?.args },
    },
    {
      sql: `UPDATE sessions SET revoked_at = ?2, revoke_reason = 'limit' WHERE id IN (
              SELECT id FROM sessions WHERE user_id = ?1 AND ${isLiveSession("?2")}
              ORDER BY created_at DESC, rowid DESC LIMIT -1 OFFSET ${SESSIONS_PER_USER_MAX})`,
      args: [userId, createdAt],
    },
    selectUserStatement(userId),
  ];
}

/** The user of a token answer, as JSON in a column named `user`. */
export function selectUserStatement(userId: string) {
  return { sql: `SELECT ${userJson("?1")} AS user`, args: [userId] };
}

/** What a rotation answers: the next generation, and the user as JSON. */
export interface RotatedSession {
  counter: number;
  userId: string;
  idleExpiresAt: number;
  user: string;
}

/** Moves a session from this generation to the next one; of concurrent calls exactly one gets a row. */
export async function rotateSession(
  db: Database,
  { id, counter, now, idleSec }: { id: string; counter: number; now: number; idleSec: number },
): Promise<RotatedSession | undefined> {
  const { rows } = await db.$client.execute({
    sql: `UPDATE sessions SET counter = counter + 1, rotated_at = ?3, last_seen_at = ?3,
            idle_expires_at = min(expires_at, ?3 + ?4)
          WHERE id = ?1 AND counter = ?2 AND ${isLiveSession("?3")}
          RETURNING counter, user_id, idle_expires_at, ${userJson("user_id")} AS user`,
    args: [id, counter, now, idleSec],
  });
  return rows[0] && toRotated(rows[0]);
}

/**
 * The session one generation on, where it got there within the grace. A write that changes nothing: it comes after the
 * rotation that is on its way, where a read could come before it.
 */
export async function findRotation(
  db: Database,
  {
    id,
    counter,
    now,
    refreshGraceSec,
  }: { id: string; counter: number; now: number; refreshGraceSec: number },
): Promise<RotatedSession | undefined> {
  const { rows } = await db.$client.execute({
    sql: `UPDATE sessions SET last_seen_at = last_seen_at
          WHERE id = ?1 AND counter = ?2 AND rotated_at >= ?3 AND ${isLiveSession("?4")}
          RETURNING counter, user_id, idle_expires_at, ${userJson("user_id")} AS user`,
    args: [id, counter + 1, now - refreshGraceSec, now],
  });
  return rows[0] && toRotated(rows[0]);
}

/** A session as it stands, whatever its state; with the user as JSON. */
export async function findSessionState(
  db: Database,
  id: string,
): Promise<
  (RotatedSession & Pick<SessionRow, "rotatedAt" | "revokedAt" | "expiresAt">) | undefined
> {
  const { rows } = await db.$client.execute({
    sql: `SELECT counter, user_id, idle_expires_at, rotated_at, revoked_at, expires_at, ${userJson("user_id")} AS user
          FROM sessions WHERE id = ?1`,
    args: [id],
  });
  const row = rows[0];
  if (!row) return undefined;
  return {
    ...toRotated(row),
    rotatedAt: Number(row.rotated_at),
    revokedAt: row.revoked_at === null ? null : Number(row.revoked_at),
    expiresAt: Number(row.expires_at),
  };
}

function toRotated(row: Record<string, unknown>): RotatedSession {
  return {
    counter: Number(row.counter),
    userId: String(row.user_id),
    idleExpiresAt: Number(row.idle_expires_at),
    user: String(row.user),
  };
}

/** Ends one session, or all of a user's, or all but one. Returns the ids of those that ended now. */
export async function revokeSessions(
  db: Database,
  which: { id: string } | { userId: string; exceptId?: string | undefined },
  { reason, now }: { reason: RevokeReason; now: number },
): Promise<string[]> {
  const { rows } = await db.$client.execute(revokeSessionsStatement(which, { reason, now }));
  return rows.map((row) => String(row.id));
}

/** `revokeSessions` for a batch of the caller's. */
export function revokeSessionsStatement(
  which: { id: string } | { userId: string; exceptId?: string | undefined },
  { reason, now }: { reason: RevokeReason; now: number },
) {
  const [where, key, except] =
    "id" in which
      ? ["id = ?1 AND id <> ?4", which.id, ""]
      : ["user_id = ?1 AND id <> ?4", which.userId, which.exceptId ?? ""];
  return {
    sql: `UPDATE sessions SET revoked_at = ?2, revoke_reason = ?3
          WHERE ${where} AND ${isLiveSession("?2")}
          RETURNING id`,
    args: [key, now, reason, except],
  };
}
