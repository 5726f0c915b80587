import { describeEvent, type NoticeDeps } from "../accounts/notice.ts";
import type { Condition } from "../db/condition.ts";
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
 * mailed code, or a session with a fresh proof.
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
  if (password !== undefined) {
    return (await verifyOwnPassword(deps, owner, { field: "password", password })).condition;
  }
  if (code !== undefined) {
    return (await verifyOwnCode(deps, { purpose: "delete", subject: owner.id, code })).condition;
  }
  await requireFreshProof(deps, user);
  return { sql: "1", args: {} };
}

/** The only place that still has the address: this mail. */
async function sendFarewell(deps: DeleteDeps, { id: userId, email: to }: Owner): Promise<void> {
  const kind = "account_deleted";
  const facts = { event: describeEvent(deps, kind) };
  await sendMail(deps, { kind, to, facts }, { name: "account.deleted", userId });
}
