import type { Database } from "../../shared/database.ts";
import type { Condition } from "../db/condition.ts";
import { isLiveSession } from "../db/live-session.ts";
import type { SessionRow } from "../db/schema.ts";
import { HAS_SECOND_FACTOR } from "../db/second-factor.ts";
import { SESSIONS_PER_USER_MAX } from "../limits.ts";
import type { Authentication } from "./access-token.ts";

/** Why a session ended. */
/** Why a session ended early. */
export type RevokeReason =
  | "logout"
  | "reuse"
  | "replay"
  | "limit"
  | "password_reset"
  | "password_change"
  | "user_request"
  | "method_removed"
  | "admin";

/** What the caller of an insert decides. */
type NewSessionRow = Pick<
  SessionRow,
  | "id"
  | "userId"
  | "kind"
  | "provider"
  | "passkeyId"
  | "amr"
  | "createdAt"
  | "idleExpiresAt"
  | "expiresAt"
  | "ipPrefix"
  | "userAgent"
> & {
  /** Whether it proved the second factor. */
  hasFactor: boolean;
};

const ALWAYS: Condition = { sql: "1", args: {} };

const OWN_IDENTITY = "SELECT 1 FROM identities WHERE user_id = :userId AND provider = :provider";

const PROVED_FACTOR = "(:hasFactor OR :passkeyId IS NOT NULL)";

/**
 * Inserts a session and returns its id; no row if the account is gone or disabled, if the identity was removed, or where the
 * condition, which may use `:id` and `:userId`, does not hold. If the account has a second factor, only a session that proved it
 * begins, or one of a passkey or of a confirmed identity. A sign-in is a fresh proof, but for that of an unconfirmed identity,
 * and of any identity beside a second factor.
 */
export function insertSessionStatement(session: NewSessionRow, condition = ALWAYS) {
  return {
    sql: `INSERT INTO sessions (id, user_id, kind, provider, passkey_id, amr, counter, rotated_at, created_at, proven_at,
            last_seen_at, idle_expires_at, expires_at, ip_prefix, user_agent)
          SELECT :id, :userId, :kind, :provider, :passkeyId, :amr, 0, :createdAt, :createdAt,
            iif((${PROVED_FACTOR} OR NOT ${HAS_SECOND_FACTOR}) AND NOT EXISTS (${OWN_IDENTITY} AND is_unconfirmed), :createdAt, NULL),
            :createdAt, :idleExpiresAt, :expiresAt, :ipPrefix, :userAgent
          WHERE EXISTS (SELECT 1 FROM users WHERE id = :userId AND disabled_at IS NULL)
            AND (:provider IS NULL OR EXISTS (${OWN_IDENTITY}))
            AND (${PROVED_FACTOR} OR EXISTS (${OWN_IDENTITY} AND is_unconfirmed IS NOT 1) OR NOT ${HAS_SECOND_FACTOR})
            AND ${condition.sql}
          RETURNING id`,
    args: { ...session, ...condition.args },
  };
}

/** Ends the user's oldest sessions beyond the limit. */
export function revokeOldestStatement(userId: string, now: number) {
  return {
    sql: `UPDATE sessions SET revoked_at = :now, revoke_reason = 'limit' WHERE id IN (
            SELECT id FROM sessions WHERE user_id = :userId AND ${isLiveSession(":now")}
            ORDER BY created_at DESC, rowid DESC LIMIT -1 OFFSET ${SESSIONS_PER_USER_MAX})`,
    args: { userId, now },
  };
}

/** SQL: the columns of `toAuthentication`. A proof moves the time; a session without one was authenticated when it began. */
export const AUTHENTICATION = "amr, coalesce(proven_at, created_at) AS auth_time";

export function toAuthentication(row: Record<string, unknown>): Authentication {
  return { amr: row.amr === null ? null : String(row.amr), authTime: Number(row.auth_time) };
}

/** The user of a token answer, as JSON in a column named `user`. */
export function selectUserStatement(userId: string) {
  return { sql: `SELECT ${userJson(":userId")} AS user`, args: { userId } };
}

/** What a rotation answers: the next generation, and the user as JSON. */
interface RotatedSession extends Authentication {
  counter: number;
  userId: string;
  idleExpiresAt: number;
  user: string;
}

const ROTATED = `counter, user_id, idle_expires_at, ${userJson("user_id")} AS user, ${AUTHENTICATION}`;

/** Moves a session from this generation to the next one. Of concurrent calls exactly one gets a row. */
export async function rotateSession(
  db: Database,
  { id, counter, now, idleSec }: { id: string; counter: number; now: number; idleSec: number },
): Promise<RotatedSession | undefined> {
  const { rows } = await db.$client.execute({
    sql: `UPDATE sessions SET counter = counter + 1, rotated_at = :now, last_seen_at = :now,
            idle_expires_at = min(expires_at, :now + :idleSec)
          WHERE id = :id AND counter = :counter AND ${isLiveSession(":now")}
          RETURNING ${ROTATED}`,
    args: { id, counter, now, idleSec },
  });
  return rows[0] && toRotated(rows[0]);
}

/**
 * The session one generation on, if it was rotated within the grace. The write changes nothing: it runs after a
 * rotation that is queued, and a read could run before it.
 */
export async function awaitRotation(
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
          WHERE id = :id AND counter = :counter + 1 AND rotated_at >= :now - :refreshGraceSec
            AND ${isLiveSession(":now")}
          RETURNING ${ROTATED}`,
    args: { id, counter, now, refreshGraceSec },
  });
  return rows[0] && toRotated(rows[0]);
}

/** A session in any state, with the user as JSON. */
export async function findSessionState(
  db: Database,
  id: string,
): Promise<
  (RotatedSession & Pick<SessionRow, "rotatedAt" | "revokedAt" | "expiresAt">) | undefined
> {
  const { rows } = await db.$client.execute({
    sql: `SELECT ${ROTATED}, rotated_at, revoked_at, expires_at FROM sessions WHERE id = :id`,
    args: { id },
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
    ...toAuthentication(row),
  };
}

/** One session, of any user or of this one; or all sessions of a user, or all but one. */
type SessionChoice =
  | { id: string; userId?: string }
  | { userId: string; exceptId?: string | undefined };

/** Ends live sessions. Returns the ids of those that ended now. */
export async function revokeSessions(
  db: Database,
  which: SessionChoice,
  { reason, now }: { reason: RevokeReason; now: number },
): Promise<string[]> {
  const { rows } = await db.$client.execute(revokeSessionsStatement(which, { reason, now }));
  return rows.map((row) => String(row.id));
}

/** `revokeSessions` for a batch of the caller. */
export function revokeSessionsStatement(
  which: SessionChoice,
  { reason, now }: { reason: RevokeReason; now: number },
) {
  const { sql, args } = conditionOf(which);
  return {
    sql: `UPDATE sessions SET revoked_at = :now, revoke_reason = :reason
          WHERE ${sql} AND ${isLiveSession(":now")}
          RETURNING id`,
    args: { ...args, now, reason },
  };
}

/** The method that began sessions, and the session of the request that removed it. */
export type RemovedMethod = { userId: string; exceptId: string } & (
  | { provider: string }
  | { passkeyId: string }
);

/**
 * Ends the sessions that an identity or a passkey began, in the batch that removes it and behind that statement. The session of
 * the request stays: its client is the one that removes.
 */
export function revokeBegunStatement(method: RemovedMethod, now: number) {
  const [column, table, key, value] =
    "provider" in method
      ? ["provider", "identities", "provider", method.provider]
      : ["passkey_id", "passkeys", "id", method.passkeyId];
  const { userId, exceptId } = method;
  return {
    sql: `UPDATE sessions SET revoked_at = :now, revoke_reason = 'method_removed'
          WHERE user_id = :userId AND ${column} = :value AND id <> :exceptId AND ${isLiveSession(":now")}
            AND NOT EXISTS (SELECT 1 FROM ${table} WHERE user_id = :userId AND ${key} = :value)`,
    args: { userId, exceptId, value, now },
  };
}

function conditionOf(which: SessionChoice): Condition {
  if (!("id" in which)) {
    const { userId, exceptId: except = "" } = which;
    return { sql: "user_id = :userId AND id <> :except", args: { userId, except } };
  }
  const { id, userId } = which;
  if (userId === undefined) return { sql: "id = :id", args: { id } };
  return { sql: "id = :id AND user_id = :userId", args: { id, userId } };
}

/**
 * SQL for a user as JSON text (`AccountUser` of tokens/wire.ts), null if there is none. `id` is SQL, too. The database
 * makes the JSON, so that a token answer needs one statement.
 */
function userJson(id: string): string {
  return `(SELECT json_object('id', u.id, 'email', u.email, 'display_name', u.display_name, 'avatar_url', u.avatar_url,
    'connected_providers', json((SELECT json_group_array(provider) FROM (
      SELECT provider, linked_at AS since FROM identities WHERE user_id = u.id
      UNION ALL SELECT provider, connected_at FROM api_keys WHERE user_id = u.id ORDER BY since, provider))))
    FROM users u WHERE u.id = ${id})`;
}
