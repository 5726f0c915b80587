import { type NoticeDeps, sendNotice } from "../accounts/notice.ts";
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
 * Sets a password after the old one, or after a mailed code in a session with a fresh proof. All other sessions end, and pending codes with them: an intruder
 * loses access. All of it is one batch.
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
  if (code !== undefined) await requireFreshProof(deps, user);
  const owner = await getOwner(deps.db, user.userId);
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
  if (!(await replacePassword(deps.db, input, proof.condition))) {
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
