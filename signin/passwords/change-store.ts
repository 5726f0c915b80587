import type { ResultSet } from "@libsql/client";
import { Batch } from "../../shared/batch.ts";
import type { Database } from "../../shared/database.ts";
import type { Condition } from "../db/condition.ts";
import { hasLiveSession, isLiveSession } from "../db/live-session.ts";
import type { RevokeReason } from "../tokens/session-store.ts";
import { ACCOUNT_PURPOSES, consumeCodesStatement } from "./code-store.ts";
import { codeKeysOf, hasPasswordHash, type Owner } from "./store.ts";

/** A new password. `sessionId` is the session that stays; empty if none does. */
interface NewPassword {
  owner: Owner;
  sessionId: string;
  passwordHash: string;
  now: number;
}

/** Sets a password where the proof still holds and the session is live. False if nothing changed. */
export async function replacePassword(
  db: Database,
  change: NewPassword,
  { sql, args }: Condition,
): Promise<boolean> {
  const { sessionId, now } = change;
  const batch = new Batch();
  const condition = {
    sql: `${hasLiveSession(":now")} AND ${sql}`,
    args: { ...args, sessionId, now },
  };
  const changed = addPasswordChange(batch, change, condition, "password_change");
  await batch.run(db);
  return changed().length > 0;
}

/**
 * Adds a new password to a batch, if `condition` holds, and ends what the old one allowed: the other sessions, pending codes and
 * native codes.
 */
export function addPasswordChange(
  batch: Batch,
  { owner, sessionId, passwordHash, now }: NewPassword,
  condition: Condition,
  reason: RevokeReason,
): () => ResultSet["rows"] {
  const userId = owner.id;
  const changed = batch.add({
    sql: `UPDATE users SET password_hash = :passwordHash, updated_at = :now
          WHERE id = :userId AND ${condition.sql} RETURNING id`,
    args: { passwordHash, now, userId, ...condition.args },
  });
  // No other hash is equal: each has a salt of its own.
  const { sql } = hasPasswordHash(passwordHash);
  const done = { sql, args: { userId, passwordHash } };
  batch.add({
    sql: `UPDATE sessions SET revoked_at = :now, revoke_reason = :reason
          WHERE user_id = :userId AND id <> :sessionId AND ${isLiveSession(":now")} AND ${done.sql}`,
    args: { ...done.args, now, sessionId, reason },
  });
  batch.add({
    sql: `UPDATE native_codes SET consumed_at = :now
          WHERE user_id = :userId AND consumed_at IS NULL AND ${done.sql}`,
    args: { ...done.args, now },
  });
  const spent = { keys: codeKeysOf(owner), purposes: ACCOUNT_PURPOSES, now };
  batch.add(consumeCodesStatement(spent, done));
  return changed;
}
