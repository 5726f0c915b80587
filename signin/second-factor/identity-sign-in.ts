import { Batch } from "../../shared/batch.ts";
import { findUsableIdentity } from "../accounts/identities.ts";
import { noticeNewDevice } from "../accounts/new-device.ts";
import { getPending } from "../accounts/pending-identity.ts";
import { both } from "../db/condition.ts";
import { hasSession } from "../db/live-session.ts";
import { consumeNonceStatement, IS_UNUSED_NONCE } from "../db/used-nonces.ts";
import { failure } from "../errors.ts";
import { addSession, type IssueDeps } from "../tokens/issue-session.ts";
import type { TokenResponse } from "../tokens/wire.ts";
import { type FactorDeps, requireSecondFactor } from "./verify-factor.ts";
import type { SecondFactor } from "./wire.ts";

/**
 * Ends the sign-in of an unconfirmed identity, which waits in the browser that `headers` are of, with the second factor of its
 * account. The session is no fresh proof.
 * @throws SigninError `state_expired`, `invalid_state`, `second_factor_rejected`, `account_disabled`, `rate_limited`
 */
export async function signInWithFactor(
  deps: IssueDeps & FactorDeps,
  given: SecondFactor,
  headers: Headers,
): Promise<TokenResponse> {
  const { nonceHash, nonceExpiresAt, ...identity } = await getPending(deps, headers);
  const known = await findUsableIdentity(deps.db, identity);
  if (!known) throw failure("invalid_state");
  const { userId, secondFactorAt } = known;
  const { provider } = identity;
  const proof = await requireSecondFactor(deps, { id: userId, secondFactorAt }, given);
  const isUnused = { sql: IS_UNUSED_NONCE, args: { nonceHash } };
  const batch = new Batch();
  const input = { userId, kind: "browser", provider, factor: proof.factor } as const;
  const session = addSession(deps, batch, input, both(proof.condition, isUnused));
  const done = hasSession(session.id);
  batch.add(consumeNonceStatement({ nonceHash, nonceExpiresAt }, done));
  for (const spend of proof.spends(done)) batch.add(spend);
  await batch.run(deps.db);
  if (!session.isInserted()) throw failure("invalid_state");
  deps.record({ type: "login.success", outcome: "success", userId, detail: { provider } });
  proof.settle();
  noticeNewDevice(deps, { userId, sessionId: session.id });
  return session.toTokenResponse();
}
