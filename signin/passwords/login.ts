import type { Scope } from "../deps.ts";
import { invalidCredentials } from "../errors.ts";
import { clearCount, type GuardDeps, requireWithinLimit } from "../rate-limits/guard.ts";
import { type IssueDeps, issueSession } from "../tokens/issue-session.ts";
import type { TokenAnswer } from "../tokens/wire.ts";
import { hashPassword, verifyPassword } from "./check-password.ts";
import { findUserByEmail, replaceHash } from "./store.ts";
import type { PasswordLogin } from "./wire.ts";

type LoginDeps = IssueDeps & GuardDeps & Pick<Scope, "hasher" | "log">;

/**
 * Signs in with a password. An unknown address, an account without a password and a wrong password are the same answer in
 * the same time.
 * @throws SigninError `invalid_credentials`, `rate_limited`
 */
export async function logIn(
  deps: LoginDeps,
  { email, password }: PasswordLogin,
): Promise<TokenAnswer> {
  const { norm: emailNorm } = email;
  // The narrowest first: who is refused by one must not use up the others.
  await requireWithinLimit(deps, "loginPerIp");
  await requireWithinLimit(deps, "loginPerEmailAndIp", emailNorm);
  await requireWithinLimit(deps, "loginPerEmail", emailNorm);

  const user = await findUserByEmail(deps.db, emailNorm);
  const { matches, outdated } = await verifyPassword(deps, password, user?.passwordHash);
  if (!user || !matches) {
    recordLogin(deps, "login.failure", user?.id);
    throw invalidCredentials();
  }
  const answer = await issueSession(deps, { userId: user.id, kind: "password" });
  recordLogin(deps, "login.success", user.id);
  deps.background(clearCount(deps, "loginPerEmailAndIp", emailNorm));
  if (outdated) deps.background(rehash(deps, user, password));
  return answer;
}

function recordLogin(
  { background, audit, client }: LoginDeps,
  type: "login.success" | "login.failure",
  userId: string | undefined,
): void {
  const outcome = type === "login.success" ? "success" : "failure";
  background(audit.record({ type, outcome, userId, client, detail: { method: "password" } }));
}

/** The cost of hashes may rise: whoever signs in gets the new one. */
async function rehash(
  deps: LoginDeps,
  user: { id: string; passwordHash: string | null },
  password: string,
): Promise<void> {
  try {
    const to = await hashPassword(deps, password);
    if (user.passwordHash !== null)
      await replaceHash(deps.db, { id: user.id, from: user.passwordHash, to });
  } catch (error) {
    // The next sign-in tries again.
    deps.log.warn({ error }, "A password hash could not be renewed.");
  }
}
