import { Batch } from "../../shared/batch.ts";
import { noticeNewDevice } from "../accounts/new-device.ts";
import type { NoticeDeps } from "../accounts/notice.ts";
import { isStoredOf, toNetworkKey } from "../audit/address.ts";
import { both } from "../db/condition.ts";
import { hasSession } from "../db/live-session.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure, rateLimited } from "../errors.ts";
import { LOGIN_CHECKS_MAX } from "../limits.ts";
import type { EmailAddress } from "../mail/email-address.ts";
import {
  clearCount,
  countRequest,
  type GuardDeps,
  requireWithinLimit,
} from "../rate-limits/guard.ts";
import { type FactorDeps, requireSecondFactor } from "../second-factor/verify-factor.ts";
import { addSession, type IssueDeps } from "../tokens/issue-session.ts";
import type { TokenResponse } from "../tokens/wire.ts";
import { hashPassword, verifyPassword } from "./check-password.ts";
import { findUserByEmail, hasPasswordHash, listLiveNetworks, replaceHash } from "./store.ts";
import type { PasswordLogin } from "./wire.ts";

type LoginDeps = IssueDeps & GuardDeps & NoticeDeps & FactorDeps & Pick<Scope, "hasher">;

/**
 * Signs in with a password. An unknown address, an account without a password and a wrong password get the same response in
 * the same time. The second factor is judged once the password is right.
 * @throws SigninError `invalid_credentials`, `account_disabled`, `second_factor_required`, `second_factor_rejected`, `rate_limited`
 */
export async function logIn(
  deps: LoginDeps,
  { email, password, second_factor: given }: PasswordLogin,
): Promise<TokenResponse> {
  const { norm: emailNorm } = email;
  await countPasswordAttempt(deps, email);

  // Where the queue is full of strangers, the owner has a place.
  const isKnown = await isKnownNetwork(deps, email);
  // A hash that changed during the check is checked again: a parallel login may have renewed it.
  for (let attempt = 0; attempt < LOGIN_CHECKS_MAX; attempt += 1) {
    const user = await findUserByEmail(deps.db, email);
    const stored = user?.passwordHash;
    const { matches, outdated } = await verifyPassword(deps, password, stored, isKnown);
    if (!user || !stored || !matches) {
      recordLogin(deps, "login.failure", user?.id);
      throw failure("invalid_credentials");
    }
    if (user.disabledAt !== null) throw failure("account_disabled");
    deps.background(clearCount(deps, "loginPerEmailAndIp", emailNorm));
    const proof = await requireSecondFactor(deps, user, given);
    const batch = new Batch();
    const input = { userId: user.id, kind: "password", factor: proof.factor } as const;
    const session = addSession(deps, batch, input, both(hasPasswordHash(stored), proof.condition));
    for (const spend of proof.spends(hasSession(session.id))) batch.add(spend);
    await batch.run(deps.db);
    if (!session.isInserted()) continue;
    recordLogin(deps, "login.success", user.id);
    proof.settle();
    noticeNewDevice(deps, { userId: user.id, sessionId: session.id });
    if (outdated) deps.background(rehash(deps, { id: user.id, from: stored }, password));
    return session.toTokenResponse();
  }
  recordLogin(deps, "login.failure", undefined);
  throw failure("invalid_credentials");
}

function recordLogin(
  { record }: LoginDeps,
  type: "login.success" | "login.failure",
  userId: string | undefined,
): void {
  const outcome = type === "login.success" ? "success" : "failure";
  record({ type, outcome, userId, detail: { method: "password" } });
}

/** Stores a hash with the current cost, unless the password was changed since. */
async function rehash(
  deps: LoginDeps,
  { id, from }: { id: string; from: string },
  password: string,
): Promise<void> {
  try {
    const to = await hashPassword(deps, password);
    await replaceHash(deps.db, { id, from, to });
  } catch (error) {
    // The next sign-in tries again.
    deps.log.warn({ error }, "A password hash could not be renewed.");
  }
}

/**
 * Counts a password that is about to be checked, wherever it was entered: all guesses at an account share these limits.
 * @throws SigninError `rate_limited`
 */
async function countPasswordAttempt(
  deps: GuardDeps & Pick<Scope, "db" | "clock">,
  email: EmailAddress,
): Promise<void> {
  // The narrowest limit first: a refused request must not use up the others.
  await requireWithinLimit(deps, "loginPerIp");
  await requireWithinLimit(deps, "loginPerEmailAndIp", email.norm);
  // Strangers can use this limit up, but not for the networks in which the account has a live session.
  const everywhere = await countRequest(deps, "loginPerEmail", email.norm);
  if (everywhere.ok) return;
  if (!(await isKnownNetwork(deps, email))) throw rateLimited(everywhere.retryAfterSec);
  await requireWithinLimit(deps, "loginPerEmailAndNetwork", email.norm);
}

/**
 * Whether the account has a live session in the client's network. The owner is there and most strangers are not: limits that
 * strangers can use up exempt it.
 */
async function isKnownNetwork(
  { db, clock, client }: Pick<Scope, "db" | "clock" | "client">,
  email: EmailAddress,
): Promise<boolean> {
  const network = toNetworkKey(client.address);
  const stored = await listLiveNetworks(db, { email, now: unixNow(clock) });
  return stored.some((each) => isStoredOf(network, each));
}
