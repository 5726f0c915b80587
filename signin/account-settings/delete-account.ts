import { describeEvent, type NoticeDeps } from "../accounts/notice.ts";
import { both, type Condition } from "../db/condition.ts";
import { HAS_SECOND_FACTOR } from "../db/second-factor.ts";
import { unixNow } from "../db/time.ts";
import { failure, invalidRequest } from "../errors.ts";
import type { AccessClaims } from "../http/access-claims.ts";
import { sendMail } from "../mail/send-mail.ts";
import { getOwner, type Owner } from "../passwords/store.ts";
import { type OwnerDeps, verifyOwnCode, verifyOwnPassword } from "../passwords/verify-owner.ts";
import { type FreshDeps, requireFreshProof } from "../tokens/fresh-proof.ts";
import { deleteAccount } from "./store.ts";
import type { AccountDeletion } from "./wire.ts";

type DeleteDeps = OwnerDeps & NoticeDeps & FreshDeps;

/**
 * Deletes the account and everything of it but the audit trail, which has its id alone. The user proves it with the password, a
 * mailed code, or a session with a fresh proof; beside a second factor the last one is needed in any case.
 * @throws SigninError `reauthentication_required`, `invalid_password`, `invalid_code`, `session_expired`, `rate_limited`
 */
export async function deleteOwnAccount(
  deps: DeleteDeps,
  user: AccessClaims,
  given: AccountDeletion,
): Promise<void> {
  const owner = await getOwner(deps.db, user.userId);
  const condition = await prove(deps, user, owner, given);
  const input = { owner, sessionId: user.sessionId, now: unixNow(deps.clock) };
  if (!(await deleteAccount(deps.db, input, condition))) throw failure("session_expired");
  deps.record({ type: "account.deleted", outcome: "success", ...user });
  deps.background(sendFarewell(deps, owner));
}

async function prove(
  deps: DeleteDeps,
  user: AccessClaims,
  owner: Owner,
  { password, code }: AccountDeletion,
): Promise<Condition> {
  if (password !== undefined && code !== undefined) {
    throw invalidRequest("password: send it or code, and not both");
  }
  const isOwnProof = password !== undefined || code !== undefined;
  const hasFactor = owner.secondFactorAt !== null;
  if (!isOwnProof || hasFactor) await requireFreshProof(deps, user);
  const isEnough = { sql: hasFactor || !isOwnProof ? "1" : `NOT ${HAS_SECOND_FACTOR}`, args: {} };
  if (password !== undefined) {
    const proof = await verifyOwnPassword(deps, owner, { field: "password", password });
    return both(proof.condition, isEnough);
  }
  if (code !== undefined) {
    const proof = await verifyOwnCode(deps, { purpose: "delete", subject: owner.id, code });
    return both(proof.condition, isEnough);
  }
  return isEnough;
}

/** The only place that still has the address: this mail. */
async function sendFarewell(deps: DeleteDeps, { id: userId, email: to }: Owner): Promise<void> {
  const kind = "account_deleted";
  const facts = { event: describeEvent(deps, kind) };
  await sendMail(deps, { kind, to, facts }, { name: "account.deleted", userId });
}
