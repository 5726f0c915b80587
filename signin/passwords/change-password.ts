import { type NoticeDeps, sendNotice } from "../accounts/notice.ts";
import { both } from "../db/condition.ts";
import { HAS_SECOND_FACTOR } from "../db/second-factor.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure, invalidRequest, SigninError } from "../errors.ts";
import type { AccessClaims } from "../http/access-claims.ts";
import { type FreshDeps, requireFreshProof } from "../tokens/fresh-proof.ts";
import { replacePassword } from "./change-store.ts";
import { hashPassword, requireGoodPassword } from "./check-password.ts";
import { getOwner, type Owner } from "./store.ts";
import {
  type OwnerDeps,
  type OwnerProof,
  verifyOwnCode,
  verifyOwnPassword,
} from "./verify-owner.ts";
import type { PasswordChange } from "./wire.ts";

type ChangeDeps = OwnerDeps & NoticeDeps & FreshDeps & Pick<Scope, "background">;

/**
 * Sets a password after the old one, or after a mailed code in a session with a fresh proof; beside a second factor both need one.
 * All other sessions end, and pending codes with them: an intruder loses access. All of it is one batch.
 * @throws SigninError `invalid_request`, `invalid_password`, `invalid_code`, `reauthentication_required`, `session_expired`,
 * `rate_limited`
 */
export async function changePassword(
  deps: ChangeDeps,
  user: AccessClaims,
  change: PasswordChange,
): Promise<void> {
  const { current_password: current, code, new_password: password } = change;
  if ((current === undefined) === (code === undefined)) {
    throw invalidRequest("current_password: send it or code, and not both");
  }
  await requireGoodPassword(password, "new_password");
  const owner = await getOwner(deps.db, user.userId);
  const hasFactor = owner.secondFactorAt !== null;
  if (code !== undefined || hasFactor) await requireFreshProof(deps, user);
  const method = code === undefined ? "password" : "code";
  const proof = await prove(deps, owner, change).catch((error: unknown) => {
    if (error instanceof SigninError && error.code !== "rate_limited") {
      const detail = { method, reason: error.code };
      deps.record({ type: "password.changed", outcome: "failure", ...user, detail });
    }
    throw error;
  });
  const passwordHash = await hashPassword(deps, password);
  const now = unixNow(deps.clock);
  const input = { owner, sessionId: user.sessionId, passwordHash, now };
  const isEnough = { sql: hasFactor ? "1" : `NOT ${HAS_SECOND_FACTOR}`, args: {} };
  if (!(await replacePassword(deps.db, input, both(proof.condition, isEnough)))) {
    // Another request changed the password, or used the code, or ended the session.
    throw failure(code === undefined ? "invalid_password" : "invalid_code");
  }
  deps.background(proof.settle());
  deps.record({ type: "password.changed", outcome: "success", ...user, detail: { method } });
  const byCode = owner.passwordHash === null ? "password_set" : "password_changed";
  const kind = code === undefined ? "password_replaced" : byCode;
  sendNotice(deps, { userId: user.userId, kind });
}

function prove(
  deps: ChangeDeps,
  owner: Owner,
  { current_password: current, code }: PasswordChange,
): Promise<OwnerProof> {
  if (code !== undefined) {
    return verifyOwnCode(deps, { purpose: "password", subject: owner.id, code });
  }
  return verifyOwnPassword(deps, owner, { field: "current_password", password: current ?? "" });
}
