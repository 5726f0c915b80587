import { Batch } from "../../shared/batch.ts";
import type { Database } from "../../shared/database.ts";
import { deleteInvitationStatement } from "../accounts/sign-up-rule.ts";
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
  /** Whether the account may have it. */
  may: Condition;
  now: number;
}

/** Sets the address where the code is unused, the session is live and no other account has it. False if nothing changed. */
export async function replaceEmail(
  db: Database,
  { owner, sessionId, email: { email, norm }, may, now }: NewEmail,
  codeId: string,
): Promise<boolean> {
  const userId = owner.id;
  const batch = new Batch();
  const changed = batch.add({
    sql: `UPDATE users SET email = :email, email_norm = :norm, updated_at = :now
          WHERE id = :userId AND ${hasLiveSession(":now")} AND ${IS_USABLE_CODE} AND ${may.sql}
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
      ...may.args,
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
  batch.add(deleteInvitationStatement({ email, norm }, userId));
  await batch.run(db);
  return changed().length > 0;
}

/** Why the address was not set. `invalid_code` where another request used the code, or ended the session. */
export async function getRefusal(
  db: Database,
  { owner, email: { email, norm }, may }: NewEmail,
  codeId: string,
): Promise<"email_in_use" | "signup_closed" | "invalid_code"> {
  const { rows } = await db.$client.execute({
    sql: `SELECT EXISTS (SELECT 1 FROM users WHERE email_norm IN (:norm, :formerNorm) AND id <> :userId) AS is_taken,
            ${may.sql} AS may_have WHERE ${IS_USABLE_CODE}`,
    args: { norm, formerNorm: toFormerNorm(email), userId: owner.id, codeId, ...may.args },
  });
  const [row] = rows;
  if (row?.is_taken) return "email_in_use";
  return row && !row.may_have ? "signup_closed" : "invalid_code";
}

/** Deletes an account where the proof still holds and the session is live. False if nothing was deleted. */
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
