import { Batch } from "../../shared/batch.ts";
import type { Database } from "../../shared/database.ts";
import { hasLiveSession, isLiveSession } from "../db/live-session.ts";
import { ACCOUNT_PURPOSES, consumeCodesStatement } from "./code-store.ts";
import type { OwnerProof } from "./prove-owner.ts";
import { codeKeysOf, type Owner } from "./store.ts";

/** A password of a signed-in user. */
interface NewPassword {
  owner: Owner;
  sessionId: string;
  passwordHash: string;
  now: number;
}

/**
 * Sets a password where the proof still holds and the session is live, and ends what the old one allowed: the other sessions, and
 * pending codes. False where nothing changed.
 */
export async function replacePassword(
  db: Database,
  { owner, sessionId, passwordHash, now }: NewPassword,
  proof: OwnerProof["condition"],
): Promise<boolean> {
  const userId = owner.id;
  const batch = new Batch();
  const changed = batch.add({
    sql: `UPDATE users SET password_hash = :passwordHash, updated_at = :now
          WHERE id = :userId AND ${hasLiveSession(":now")} AND ${proof.sql} RETURNING id`,
    args: { passwordHash, now, userId, sessionId, ...proof.args },
  });
  // No other hash is equal: each has a salt of its own.
  const done = {
    sql: "EXISTS (SELECT 1 FROM users WHERE id = :userId AND password_hash = :passwordHash)",
    args: { userId, passwordHash },
  };
  batch.add({
    sql: `UPDATE sessions SET revoked_at = :now, revoke_reason = 'password_change'
          WHERE user_id = :userId AND id <> :sessionId AND ${isLiveSession(":now")} AND ${done.sql}`,
    args: { ...done.args, now, sessionId },
  });
  batch.add({
    sql: `UPDATE native_codes SET consumed_at = :now
          WHERE user_id = :userId AND consumed_at IS NULL AND ${done.sql}`,
    args: { ...done.args, now },
  });
  const spent = { keys: codeKeysOf(owner), purposes: ACCOUNT_PURPOSES, now };
  batch.add(consumeCodesStatement(spent, done));
  await batch.run(db);
  return changed().length > 0;
}
