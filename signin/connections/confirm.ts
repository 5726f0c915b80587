import type { Scope } from "../deps.ts";
import { notFound } from "../errors.ts";
import type { AccessClaims } from "../http/access-claims.ts";
import { type FreshDeps, requireFreshProof } from "../tokens/fresh-proof.ts";
import { confirmIdentity } from "./store.ts";

/**
 * Confirms an identity that was linked without fresh proof: its sign-ins are fresh proofs from now on. Doing so again changes nothing.
 * @throws SigninError `reauthentication_required`, `not_found`
 */
export async function confirm(
  deps: FreshDeps & Pick<Scope, "record">,
  user: AccessClaims,
  provider: string,
): Promise<void> {
  await requireFreshProof(deps, user);
  if (!(await confirmIdentity(deps.db, { userId: user.userId, provider }))) {
    throw notFound("Connection");
  }
  deps.record({ type: "identity.confirmed", outcome: "success", ...user, detail: { provider } });
}
