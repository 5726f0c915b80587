import type { Scope } from "../deps.ts";
import { rateLimited } from "../errors.ts";
import type { EmailAddress } from "../mail/email-address.ts";
import { countRequest, type GuardDeps, requireWithinLimit } from "../rate-limits/guard.ts";
import { isKnownNetwork } from "./known-network.ts";

/**
 * Counts a password that is about to be checked, wherever it was entered: all guesses at an account share these limits.
 * @throws SigninError `rate_limited`
 */
export async function countPasswordAttempt(
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
