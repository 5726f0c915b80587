import { Batch } from "../../shared/batch.ts";
import { type NoticeDeps, sendNotice } from "../accounts/notice.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import type { GuardDeps } from "../rate-limits/guard.ts";
import { addSession, type IssueDeps } from "../tokens/issue-session.ts";
import type { TokenResponse } from "../tokens/wire.ts";
import { addPasswordChange } from "./change-store.ts";
import { hashPassword, requireGoodPassword } from "./check-password.ts";
import { boughtByMailedCode, findUserByEmail, hasPasswordHash } from "./store.ts";
import { verifyCode } from "./verify-code.ts";
import type { ResetComplete } from "./wire.ts";

type ResetDeps = IssueDeps & GuardDeps & NoticeDeps & Pick<Scope, "hasher">;

/**
 * Sets a new password after a mailed code, ends every session of the account and begins a new one: an
 * intruder loses access. All of it is one batch, which consumes the code while the account has the address.
 * @throws SigninError `invalid_request`, `invalid_code`, `rate_limited`
 */
export async function completeReset(
  deps: ResetDeps,
  { email, code, password }: ResetComplete,
): Promise<TokenResponse> {
  await requireGoodPassword(password);
  const codeId = await verifyCode(deps, { purpose: "reset", subject: email.norm, code });
  // Before the code is consumed: after HasherBusy it can be entered again.
  const passwordHash = await hashPassword(deps, password);
  const { db, clock } = deps;
  const user = await findUserByEmail(db, email);
  // Deleted since the code was mailed.
  if (!user) throw failure("invalid_code");
  if (user.disabledAt !== null) throw failure("account_disabled");
  const userId = user.id;
  const batch = new Batch();
  const change = { owner: user, sessionId: "", passwordHash, now: unixNow(clock) };
  addPasswordChange(batch, change, boughtByMailedCode(codeId, email), "password_reset");
  const input = { userId, kind: "password" } as const;
  const session = addSession(deps, batch, input, hasPasswordHash(passwordHash));
  await batch.run(db);
  // Another request used the code, or gave the account another address.
  if (!session.isInserted()) throw failure("invalid_code");
  deps.record({ type: "password.reset", outcome: "success", userId });
  sendNotice(deps, { userId, kind: user.passwordHash ? "password_changed" : "password_set" });
  return session.toTokenResponse();
}
