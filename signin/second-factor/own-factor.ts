import { toBase64Url } from "../../shared/bytes.ts";
import { sendNotice } from "../accounts/notice.ts";
import { findAccount } from "../accounts/store.ts";
import { hasLiveSession } from "../db/live-session.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure, notFound } from "../errors.ts";
import type { AccessClaims } from "../http/access-claims.ts";
import { TOTP_SECRET_BYTES, TOTP_SET_UP_SEC } from "../limits.ts";
import { type FreshDeps, requireFreshProof } from "../tokens/fresh-proof.ts";
import { toQrCode } from "./qr.ts";
import { makeRecoveryCodes } from "./recovery-codes.ts";
import {
  deleteFactor,
  enableFactor,
  findPendingFactor,
  getFactorState,
  insertPendingFactor,
  replaceRecoveryCodes,
} from "./store.ts";
import { findStep, toBase32, toOtpauthUri } from "./totp.ts";
import { type FactorDeps, openSecret, totpContext } from "./verify-factor.ts";
import type { RecoveryCodeList, TotpOptions } from "./wire.ts";

type OwnDeps = FactorDeps & FreshDeps & Pick<Scope, "random">;

/**
 * A new secret for an authenticator app, stored until its first code.
 * @throws SigninError `reauthentication_required`, `second_factor_exists`, `session_expired`
 */
export async function createTotpOptions(deps: OwnDeps, user: AccessClaims): Promise<TotpOptions> {
  await requireFreshProof(deps, user);
  const { userId } = user;
  const account = await findAccount(deps.db, userId);
  if (!account) throw failure("session_expired");
  const bytes = deps.random(TOTP_SECRET_BYTES);
  const box = await deps.keyring.box();
  const ciphertext = await box.seal(toBase64Url(bytes), totpContext(userId));
  const now = unixNow(deps.clock);
  const pending = { ciphertext, keyId: box.keyId, expiresAt: now + TOTP_SET_UP_SEC, now };
  if (!(await insertPendingFactor(deps.db, user, pending))) {
    const { isEnabled } = await getFactorState(deps.db, userId);
    throw failure(isEnabled ? "second_factor_exists" : "session_expired");
  }
  const secret = toBase32(bytes);
  const { appName: issuer } = deps.config;
  const uri = toOtpauthUri(secret, { issuer, account: account.user.email });
  return { secret, uri, qr: toQrCode(uri) };
}

/**
 * Switches the second factor on with a code of the new secret, which is used up, and answers the recovery codes.
 * @throws SigninError `reauthentication_required`, `invalid_second_factor`
 */
export async function enableTotp(
  deps: OwnDeps,
  user: AccessClaims,
  code: string,
): Promise<RecoveryCodeList> {
  await requireFreshProof(deps, user);
  const { userId } = user;
  const now = unixNow(deps.clock);
  const ciphertext = await findPendingFactor(deps.db, { userId, now });
  if (ciphertext === undefined)
    throw failure("invalid_second_factor", "no secret waits for a code");
  const secret = await openSecret(deps, userId, ciphertext);
  const step = await findStep(secret, code, { now, lastStep: 0 });
  const { codes, hashes } = await makeRecoveryCodes(deps.random, userId);
  const isEnabled =
    step !== undefined && (await enableFactor(deps.db, user, { ciphertext, step, hashes, now }));
  if (!isEnabled) throw failure("invalid_second_factor");
  deps.record({ type: "second_factor.enabled", outcome: "success", ...user });
  sendNotice(deps, { userId, kind: "second_factor_enabled" });
  return { recovery_codes: codes };
}

/** Switches the second factor off. @throws SigninError `reauthentication_required`, `not_found` */
export async function disableTotp(deps: OwnDeps, user: AccessClaims): Promise<void> {
  await requireFreshProof(deps, user);
  const { userId, sessionId } = user;
  const isLive = {
    sql: hasLiveSession(":now"),
    args: { sessionId, now: unixNow(deps.clock) },
  };
  if (!(await deleteFactor(deps.db, userId, isLive))) throw notFound("Second factor");
  deps.record({ type: "second_factor.disabled", outcome: "success", ...user });
  sendNotice(deps, { userId, kind: "second_factor_disabled" });
}

/** Ten new recovery codes in the place of all others. @throws SigninError `reauthentication_required`, `not_found` */
export async function createRecoveryCodes(
  deps: OwnDeps,
  user: AccessClaims,
): Promise<RecoveryCodeList> {
  await requireFreshProof(deps, user);
  const { userId } = user;
  const { codes, hashes } = await makeRecoveryCodes(deps.random, userId);
  const replaced = { hashes, now: unixNow(deps.clock) };
  if (!(await replaceRecoveryCodes(deps.db, user, replaced))) throw notFound("Second factor");
  deps.record({ type: "second_factor.recovery_codes_created", outcome: "success", ...user });
  sendNotice(deps, { userId, kind: "recovery_codes_created" });
  return { recovery_codes: codes };
}
