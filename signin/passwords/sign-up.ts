import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import type { GuardDeps } from "../rate-limits/guard.ts";
import { type IssueDeps, issueSessionIf } from "../tokens/issue-session.ts";
import type { TokenAnswer } from "../tokens/wire.ts";
import { hashPassword, requireGoodPassword } from "./check-password.ts";
import { proveCode } from "./prove-code.ts";
import { hasPasswordHash, insertUser } from "./store.ts";
import type { SignupComplete } from "./wire.ts";

type SignUpDeps = IssueDeps & GuardDeps & Pick<Scope, "hasher">;

/**
 * Creates an account for an address that the mailed code proved. Until then there is no account, so a stranger
 * cannot prepare one for its owner.
 * @throws SigninError `invalid_request`, `invalid_code`, `account_exists`, `rate_limited`
 */
export async function completeSignup(
  deps: SignUpDeps,
  { email: { email, norm: emailNorm }, code, password, display_name }: SignupComplete,
): Promise<TokenAnswer> {
  await requireGoodPassword(password);
  const proven = await proveCode(deps, { purpose: "signup", emailNorm, code });
  // Before the code is consumed: after HasherBusy it can be entered again.
  const passwordHash = await hashPassword(deps, password);
  await proven.consume();

  const id = crypto.randomUUID();
  const createdAt = unixNow(deps.clock);
  const displayName = display_name || null;
  const inserted = await insertUser(deps.db, {
    id,
    email,
    emailNorm,
    displayName,
    passwordHash,
    createdAt,
  });
  // The account was created since the code was mailed. The client proved the address, so it may know.
  if (!inserted) throw failure("account_exists");
  deps.record({ type: "signup.completed", outcome: "success", userId: id });
  const session = { userId: id, kind: "password" } as const;
  const answer = await issueSessionIf(deps, session, hasPasswordHash(passwordHash));
  // A reset committed in between: the account has its password.
  if (!answer) throw failure("invalid_code");
  return answer;
}
