import { Batch } from "../../shared/batch.ts";
import {
  deleteInvitationStatement,
  findTakenStatement,
  maySignUp,
} from "../accounts/sign-up-rule.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import type { GuardDeps } from "../rate-limits/guard.ts";
import { addSession, type IssueDeps } from "../tokens/issue-session.ts";
import type { TokenResponse } from "../tokens/wire.ts";
import { hashPassword, requireGoodPassword } from "./check-password.ts";
import { consumeCodesStatement, IS_USABLE_CODE } from "./code-store.ts";
import { hasPasswordHash, insertUserStatement } from "./store.ts";
import { verifyCode } from "./verify-code.ts";
import type { SignupComplete } from "./wire.ts";

type SignUpDeps = IssueDeps & GuardDeps & Pick<Scope, "hasher">;

/**
 * Creates an account for an address that the mailed code proved. Until then there is no account, so a stranger
 * cannot prepare one for its owner.
 * @throws SigninError `invalid_request`, `invalid_code`, `account_exists`, `signup_closed`, `rate_limited`
 */
export async function completeSignup(
  deps: SignUpDeps,
  { email: address, code, password, display_name }: SignupComplete & { password: string },
): Promise<TokenResponse> {
  const { email, norm: emailNorm } = address;
  await requireGoodPassword(password);
  const codeId = await verifyCode(deps, { purpose: "signup", subject: emailNorm, code });
  // Before the code is consumed: after HasherBusy it can be entered again.
  const passwordHash = await hashPassword(deps, password);

  const id = crypto.randomUUID();
  const now = unixNow(deps.clock);
  const user = { id, email, emailNorm, displayName: display_name || null, passwordHash };
  const batch = new Batch();
  const taken = batch.add(findTakenStatement(address));
  const may = maySignUp(deps.config, { email: address, now });
  const inserted = batch.add(insertUserStatement({ ...user, createdAt: now }, codeId, may));
  batch.add(deleteInvitationStatement(address, id));
  const spent = { keys: [emailNorm], purposes: ["signup"], now } as const;
  const consumed = batch.add(
    consumeCodesStatement(spent, { sql: IS_USABLE_CODE, args: { codeId } }),
  );
  const input = { userId: id, kind: "password" } as const;
  const session = addSession(deps, batch, input, hasPasswordHash(passwordHash));
  await batch.run(deps.db);
  if (inserted().length === 0) {
    // A client with an unused code proved the address, so it may know.
    if (consumed().length === 0) throw failure("invalid_code");
    throw failure(taken().length > 0 ? "account_exists" : "signup_closed");
  }
  deps.record({ type: "signup.completed", outcome: "success", userId: id });
  return session.toTokenResponse();
}
