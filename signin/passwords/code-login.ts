import { Batch } from "../../shared/batch.ts";
import { noticeNewDevice } from "../accounts/new-device.ts";
import type { NoticeDeps } from "../accounts/notice.ts";
import { both } from "../db/condition.ts";
import { hasSession } from "../db/live-session.ts";
import { unixNow } from "../db/time.ts";
import { failure, SigninError } from "../errors.ts";
import type { GuardDeps } from "../rate-limits/guard.ts";
import { type FactorDeps, requireSecondFactor } from "../second-factor/verify-factor.ts";
import { addSession, type IssueDeps } from "../tokens/issue-session.ts";
import type { TokenResponse } from "../tokens/wire.ts";
import { consumeCodesStatement } from "./code-store.ts";
import { boughtByMailedCode, findUserByEmail } from "./store.ts";
import { verifyCode } from "./verify-code.ts";
import type { CodeLogin } from "./wire.ts";

type CodeLoginDeps = IssueDeps & GuardDeps & NoticeDeps & FactorDeps;

/**
 * Signs in with a mailed code. It creates no account. The session begins in the batch that consumes the code, while the account
 * has the address that the code was mailed to: a reset that ends all sessions ends the code, too.
 * @throws SigninError `invalid_code`, `account_disabled`, `second_factor_required`, `second_factor_rejected`, `rate_limited`
 */
export async function completeCodeLogin(
  deps: CodeLoginDeps,
  { email, code, second_factor: factor }: CodeLogin,
): Promise<TokenResponse> {
  const given = { purpose: "login", subject: email.norm, code } as const;
  const codeId = await verifyCode(deps, given).catch((error: unknown) => {
    if (error instanceof SigninError && error.code === "invalid_code") {
      deps.record({ type: "login.failure", outcome: "failure", detail: { method: "code" } });
    }
    throw error;
  });
  const user = await findUserByEmail(deps.db, email);
  // Deleted since the code was mailed.
  if (!user) throw failure("invalid_code");
  if (user.disabledAt !== null) throw failure("account_disabled");
  const proof = await requireSecondFactor(deps, user, factor);
  const batch = new Batch();
  const input = { userId: user.id, kind: "code", factor: proof.factor } as const;
  const bought = both(boughtByMailedCode(codeId, email), proof.condition);
  const session = addSession(deps, batch, input, bought);
  // Behind the session, which needs the code unused.
  const spent = { keys: [email.norm], purposes: ["login"], now: unixNow(deps.clock) } as const;
  const done = hasSession(session.id);
  batch.add(consumeCodesStatement(spent, done));
  for (const spend of proof.spends(done)) batch.add(spend);
  await batch.run(deps.db);
  if (!session.isInserted()) throw failure("invalid_code");
  const detail = { method: "code" };
  deps.record({ type: "login.success", outcome: "success", userId: user.id, detail });
  proof.settle();
  noticeNewDevice(deps, { userId: user.id, sessionId: session.id });
  return session.toTokenResponse();
}
