import { Batch } from "../../shared/batch.ts";
import { type NoticeDeps, sendNotice } from "../accounts/notice.ts";
import { both } from "../db/condition.ts";
import { hasSession } from "../db/live-session.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import type { GuardDeps } from "../rate-limits/guard.ts";
import { type FactorDeps, requireSecondFactor } from "../second-factor/verify-factor.ts";
import { addSession, type IssueDeps } from "../tokens/issue-session.ts";
import type { TokenResponse } from "../tokens/wire.ts";
import { addPasswordChange } from "./change-store.ts";
import { hashPassword, requireGoodPassword } from "./check-password.ts";
import { boughtByMailedCode, findUserByEmail, hasPasswordHash } from "./store.ts";
import { verifyCode } from "./verify-code.ts";
import type { ResetComplete } from "./wire.ts";

type ResetDeps = IssueDeps & GuardDeps & NoticeDeps & FactorDeps & Pick<Scope, "hasher">;

/**
 * Sets a new password after a mailed code, ends every session of the account and begins a new one: an
 * intruder loses access. All of it is one batch, which consumes the code while the account has the address.
 * @throws SigninError `invalid_request`, `invalid_code`, `account_disabled`, `second_factor_required`, `second_factor_rejected`,
 * `rate_limited`
 */
export async function completeReset(
  deps: ResetDeps,
  { email, code, password, second_factor: factor }: ResetComplete,
): Promise<TokenResponse> {
  await requireGoodPassword(password);
  const codeId = await verifyCode(deps, { purpose: "reset", subject: email.norm, code });
  const { db, clock } = deps;
  const user = await findUserByEmail(db, email);
  // Deleted since the code was mailed.
  if (!user) throw failure("invalid_code");
  if (user.disabledAt !== null) throw failure("account_disabled");
  if (user.secondFactorAt !== null && !factor) throw failure("second_factor_required");
  // Before codes are consumed: after HasherBusy they can be entered again.
  const passwordHash = await hashPassword(deps, password);
  const proof = await requireSecondFactor(deps, user, factor);
  const userId = user.id;
  const batch = new Batch();
  const change = { owner: user, sessionId: "", passwordHash, now: unixNow(clock) };
  const bought = both(boughtByMailedCode(codeId, email), proof.condition);
  addPasswordChange(batch, change, bought, "password_reset");
  const input = { userId, kind: "password", factor: proof.factor } as const;
  const done = both(hasPasswordHash(passwordHash), proof.condition);
  const session = addSession(deps, batch, input, done);
  for (const spend of proof.spends(hasSession(session.id))) batch.add(spend);
  await batch.run(db);
  // Another request used the code, or gave the account another address.
  if (!session.isInserted()) throw failure("invalid_code");
  deps.record({ type: "password.reset", outcome: "success", userId });
  proof.settle();
  sendNotice(deps, { userId, kind: user.passwordHash ? "password_changed" : "password_set" });
  return session.toTokenResponse();
}
