import { Batch } from "../../shared/batch.ts";
import type { Database } from "../../shared/database.ts";
import type { Condition } from "../db/condition.ts";
import { deleteAccountRows } from "../db/delete-account.ts";
import { hasLiveSession } from "../db/live-session.ts";
import { type EmailAddress, toFormerNorm } from "../mail/email-address.ts";
import {
  ACCOUNT_PURPOSES,
  consumeCodesStatement,
  IS_USABLE_CODE,
} from "../passwords/code-store.ts";
import { codeKeysOf, type Owner } from "../passwords/store.ts";

/** A new address of a signed-in user. */
interface NewEmail {
  owner: Owner;
  sessionId: string;
  email: EmailAddress;
  now: number;
}

/** Sets the address where the code is unused, the session is live and no other account has it. False where nothing changed. */
export async function replaceEmail(
  db: Database,
  { owner, sessionId, email: { email, norm }, now }: NewEmail,
  codeId: string,
): Promise<boolean> {
  const userId = owner.id;
  const batch = new Batch();
  const changed = batch.add({
    sql: `UPDATE users SET email = :email, email_norm = :norm, updated_at = :now
          WHERE id = :userId AND ${hasLiveSession(":now")} AND ${IS_USABLE_CODE}
            AND NOT EXISTS (SELECT 1 FROM users WHERE email_norm IN (:norm, :formerNorm) AND id <> :userId)
          RETURNING id`,
    args: {
      email,
      norm,
      formerNorm: toFormerNorm(email),
      now,
      userId,
      sessionId,
      codeId,
    },
  });
  const done = {
    sql: "EXISTS (SELECT 1 FROM users WHERE id = :userId AND email = :email)",
    args: { userId, email },
  };
  const spent = { keys: codeKeysOf(owner), purposes: ACCOUNT_PURPOSES, now };
  batch.add(consumeCodesStatement(spent, done));
  batch.add({
    sql: `UPDATE email_codes SET consumed_at = :now WHERE id = :codeId AND ${done.sql}`,
    args: { ...done.args, now, codeId },
  });
  await batch.run(db);
  return changed().length > 0;
}

/** Whether another account has the address. False where that account, or another request, used up the same code. */
export async function isTaken(
  db: Database,
  userId: string,
  { email: { email, norm }, codeId }: { email: EmailAddress; codeId: string },
): Promise<boolean> {
  const { rows } = await db.$client.execute({
    sql: `SELECT 1 FROM users WHERE email_norm IN (:norm, :formerNorm) AND id <> :userId AND ${IS_USABLE_CODE}`,
    args: { norm, formerNorm: toFormerNorm(email), userId, codeId },
  });
  return rows.length > 0;
}

/** Deletes an account where the proof still holds and the session is live. False where nothing was deleted. */
export function deleteAccount(
  db: Database,
  { owner, sessionId, now }: { owner: Owner; sessionId: string; now: number },
  proof: Condition,
): Promise<boolean> {
  const account = { userId: owner.id, codeKeys: codeKeysOf(owner) };
  return deleteAccountRows(db, account, {
    sql: `${hasLiveSession(":now")} AND ${proof.sql}`,
    args: { sessionId, now, ...proof.args },
  });
}
