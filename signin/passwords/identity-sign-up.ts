import { Batch } from "../../shared/batch.ts";
import { recordLinked } from "../accounts/identities.ts";
import { getPending } from "../accounts/pending-identity.ts";
import { maySignUp } from "../accounts/sign-up-rule.ts";
import { addUserWithIdentity } from "../accounts/store.ts";
import { unixNow } from "../db/time.ts";
import { consumeNonceStatement, IS_UNUSED_NONCE } from "../db/used-nonces.ts";
import { failure } from "../errors.ts";
import type { GuardDeps } from "../rate-limits/guard.ts";
import { addSession, type IssueDeps } from "../tokens/issue-session.ts";
import type { TokenResponse } from "../tokens/wire.ts";
import { consumeCodesStatement, IS_USABLE_CODE } from "./code-store.ts";
import { verifyCode } from "./verify-code.ts";
import type { SignupComplete } from "./wire.ts";

const IS_MADE = { sql: "EXISTS (SELECT 1 FROM users WHERE id = :userId)", args: {} };

/**
 * Creates the account of the pending identity of a browser, with an address that the mailed code proved. It never finds an
 * account that is there: neither by the address nor by the identity.
 * @throws SigninError `state_expired`, `invalid_state`, `invalid_code`, `account_exists`, `signup_closed`, `rate_limited`
 */
export async function completeIdentitySignup(
  deps: IssueDeps & GuardDeps,
  { email: address, code, display_name }: SignupComplete,
  headers: Headers,
): Promise<TokenResponse> {
  const { provider, issuer, subject, ...pending } = await getPending(deps, headers);
  const codeId = await verifyCode(deps, { purpose: "signup", subject: address.norm, code });
  const now = unixNow(deps.clock);
  const userId = crypto.randomUUID();
  const { nonceHash, nonceExpiresAt } = pending;
  const may = maySignUp(deps.config, { email: address, now });
  const batch = new Batch();
  const unused = batch.add({ sql: `SELECT 1 WHERE ${IS_UNUSED_NONCE}`, args: { nonceHash } });
  const made = addUserWithIdentity(
    batch,
    {
      id: userId,
      email: address.email,
      emailNorm: address.norm,
      displayName: display_name || pending.displayName,
      avatarUrl: pending.avatarUrl,
    },
    // The provider vouches for no address, so none of its addresses is followed.
    { provider, subject, issuer, now },
    {
      sql: `${may.sql} AND ${IS_USABLE_CODE} AND ${IS_UNUSED_NONCE}`,
      args: { ...may.args, codeId, nonceHash },
    },
  );
  const spent = { keys: [address.norm], purposes: ["signup"], now } as const;
  const consumed = batch.add(
    consumeCodesStatement(spent, { sql: IS_USABLE_CODE, args: { codeId } }),
  );
  batch.add(
    consumeNonceStatement({ nonceHash, nonceExpiresAt }, { sql: IS_MADE.sql, args: { userId } }),
  );
  const session = addSession(deps, batch, { userId, kind: "browser", provider }, IS_MADE);
  await batch.run(deps.db);
  if (!session.isInserted()) {
    if (consumed().length === 0) throw failure("invalid_code");
    const outcome = made();
    // The identity has made an account meanwhile, or before.
    if (unused().length === 0 || typeof outcome !== "string") throw failure("invalid_state");
    throw failure(outcome);
  }
  const detail = { provider };
  deps.record({ type: "signup.completed", outcome: "success", userId, detail });
  recordLinked(deps, provider, { userId });
  return session.toTokenResponse();
}
