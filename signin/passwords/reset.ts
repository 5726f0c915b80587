import { Batch } from "../../shared/batch.ts";
import { type NoticeDeps, sendNotice } from "../accounts/notice.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import type { GuardDeps } from "../rate-limits/guard.ts";
import { addSession, type IssueDeps } from "../tokens/issue-session.ts";
import { revokeSessionsStatement } from "../tokens/session-store.ts";
import type { TokenAnswer } from "../tokens/wire.ts";
import { hashPassword, requireGoodPassword } from "./check-password.ts";
import { ACCOUNT_PURPOSES, consumeCodesStatement } from "./code-store.ts";
import { proveCode } from "./prove-code.ts";
import { consumeNativeCodesStatement, findUserByEmail, replacePasswordStatement } from "./store.ts";
import type { ResetComplete } from "./wire.ts";

type ResetDeps = IssueDeps & GuardDeps & NoticeDeps & Pick<Scope, "hasher">;

/**
 * Sets a new password after a mailed code, ends every session of the account and begins a new one: an
 * intruder loses access. All of it is one batch.
 * @throws SigninError `invalid_request`, `invalid_code`, `rate_limited`
 */
export async function completeReset(
  deps: ResetDeps,
  { email, code, password }: ResetComplete,
): Promise<TokenAnswer> {
  await requireGoodPassword(password);
  const proven = await proveCode(deps, { purpose: "reset", emailNorm: email.norm, code });
  const passwordHash = await hashPassword(deps, password);
  await proven.consume();
  const user = await findUserByEmail(deps.db, email);
  // Deleted since the code was mailed.
  if (!user) throw failure("invalid_code");
  if (user.disabledAt !== null) throw failure("account_disabled");

  const { db, clock } = deps;
  const userId = user.id;
  const now = unixNow(clock);
  const batch = new Batch();
  batch.add(replacePasswordStatement({ userId, passwordHash, now }));
  batch.add(consumeNativeCodesStatement(userId, now));
  const spent = { keys: [email.norm, userId], purposes: ACCOUNT_PURPOSES, now };
  batch.add(consumeCodesStatement(spent, { sql: "1", args: {} }));
  batch.add(revokeSessionsStatement({ userId }, { reason: "password_reset", now }));
  const session = addSession(deps, batch, { userId, kind: "password" });
  await batch.run(db);
  deps.record({ type: "password.reset", outcome: "success", userId });
  sendNotice(deps, { userId, kind: user.passwordHash ? "password_changed" : "password_set" });
  return session.toTokenAnswer();
}
