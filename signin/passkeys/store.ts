import { and, asc, eq } from "drizzle-orm";
import { Batch } from "../../shared/batch.ts";
import type { Database } from "../../shared/database.ts";
import type { Condition } from "../db/condition.ts";
import { hasLiveSession } from "../db/live-session.ts";
import { type PasskeyRow, passkeys, users } from "../db/schema.ts";
import { hasOtherMethod, type UsableMethods } from "../db/sign-in-methods.ts";
import type { AccessClaims } from "../http/access-claims.ts";
import { PASSKEYS_PER_USER_MAX } from "../limits.ts";
import { revokeBegunStatement } from "../tokens/session-store.ts";

/** The user's passkeys, the oldest first. */
export function listPasskeys(db: Database, userId: string): Promise<PasskeyRow[]> {
  return db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));
}

/** The names of an account, as its authenticator shows them. */
export function findNames(
  db: Database,
  userId: string,
): Promise<{ email: string; displayName: string | null } | undefined> {
  return db
    .select({ email: users.email, displayName: users.displayName })
    .from(users)
    .where(eq(users.id, userId))
    .get();
}

/** The part of a passkey that a sign-in is checked with. */
export type KnownPasskey = Pick<PasskeyRow, "id" | "userId" | "publicKey" | "backupEligible"> & {
  /** Whether an operator disabled the account. */
  isDisabled: boolean;
};

/** Finds the passkey of a credential. It runs in the batch that consumes the challenge. */
export function selectPasskeyStatement({
  credentialId,
  rpId,
}: {
  credentialId: string;
  rpId: string;
}) {
  return {
    sql: `SELECT id, user_id, public_key, backup_eligible,
            (SELECT disabled_at FROM users WHERE id = user_id) IS NOT NULL AS is_disabled FROM passkeys
          WHERE credential_id = :credentialId AND rp_id = :rpId`,
    args: { credentialId, rpId },
  };
}

/** The row of `selectPasskeyStatement`. */
export function toKnownPasskey(row: Record<string, unknown>): KnownPasskey {
  return {
    id: String(row.id),
    userId: String(row.user_id),
    publicKey: String(row.public_key),
    backupEligible: Boolean(row.backup_eligible),
    isDisabled: Boolean(row.is_disabled),
  };
}

/** What a sign-in changes of its passkey. */
export interface PasskeyUse {
  counter: number;
  backedUp: boolean;
}

type InsertOutcome = "inserted" | "in_use" | "too_many" | "session_gone";

/** Adds a passkey while the session is live and the account has room. One statement decides; a read explains a refusal. */
export async function insertPasskey(
  db: Database,
  row: Omit<PasskeyRow, "lastUsedAt">,
  { sessionId }: AccessClaims,
): Promise<InsertOutcome> {
  const { userId, credentialId, createdAt: now } = row;
  const { rows } = await db.$client.execute({
    sql: `INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, rp_id, backup_eligible, backed_up,
            transports_json, label, created_at)
          SELECT :id, :userId, :credentialId, :publicKey, :counter, :rpId, :backupEligible, :backedUp,
            :transportsJson, :label, :createdAt
          WHERE (SELECT count(*) FROM passkeys WHERE user_id = :userId) < ${PASSKEYS_PER_USER_MAX}
            AND ${hasLiveSession(":createdAt")}
          ON CONFLICT (credential_id) DO NOTHING RETURNING id`,
    args: { ...row, sessionId },
  });
  if (rows.length > 0) return "inserted";
  const { rows: states } = await db.$client.execute({
    sql: `SELECT EXISTS (SELECT 1 FROM passkeys WHERE credential_id = :credentialId) AS taken,
            ${hasLiveSession(":now")} AS live`,
    args: { credentialId, sessionId, userId, now },
  });
  if (!states[0]?.live) return "session_gone";
  return states[0].taken ? "in_use" : "too_many";
}

// A counter that never moves is zero on both sides (WebAuthn, section 6.1.1).
const COUNTER_ADVANCES = "(counter < :signCount OR (counter = 0 AND :signCount = 0))";

/** The condition of a session: the passkey is still there, and its counter advances. */
export function isAdvanced(passkeyId: string, { counter }: PasskeyUse): Condition {
  return {
    sql: `EXISTS (SELECT 1 FROM passkeys WHERE id = :passkeyId AND user_id = :userId AND ${COUNTER_ADVANCES})`,
    args: { passkeyId, signCount: counter },
  };
}

/** Stores the use of a passkey, under the condition of its session and behind it in the batch. */
export function usePasskeyStatement(
  passkeyId: string,
  { counter, backedUp }: PasskeyUse,
  now: number,
) {
  return {
    sql: `UPDATE passkeys SET counter = :signCount, backed_up = :backedUp, last_used_at = :now
          WHERE id = :passkeyId AND ${COUNTER_ADVANCES}`,
    args: { passkeyId, signCount: counter, backedUp, now },
  };
}

/** Undefined if the user has no such passkey. */
export async function updateLabel(
  db: Database,
  { id, userId, label }: { id: string; userId: string; label: string },
): Promise<PasskeyRow | undefined> {
  const [row] = await db
    .update(passkeys)
    .set({ label })
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .returning();
  return row;
}

/** Deletes a passkey if the account has another way to sign in, as `hasOtherMethod` explains, and ends the sessions that it began. */
export async function deletePasskeyUnlessLast(
  db: Database,
  { id, userId, sessionId, now }: AccessClaims & { id: string; now: number },
  methods: UsableMethods,
): Promise<boolean> {
  const other = hasOtherMethod({ userId, passkeyId: id }, methods);
  const batch = new Batch();
  const deleted = batch.add({
    sql: `DELETE FROM passkeys WHERE id = :passkeyId AND user_id = :userId AND ${other.sql} RETURNING id`,
    args: other.args,
  });
  batch.add(revokeBegunStatement({ userId, exceptId: sessionId, passkeyId: id }, now));
  await batch.run(db);
  return deleted().length > 0;
}

export async function hasPasskey(
  db: Database,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> {
  const row = await db
    .select({ id: passkeys.id })
    .from(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .get();
  return row !== undefined;
}
