import { type NoticeDeps, noticeNewAddress } from "../accounts/notice.ts";
import { mayTakeAddress } from "../accounts/sign-up-rule.ts";
import { unixNow } from "../db/time.ts";
import { failure, invalidRequest } from "../errors.ts";
import type { AccessClaims } from "../http/access-claims.ts";
import type { EmailAddress } from "../mail/email-address.ts";
import { requestCode, type SendDeps } from "../passwords/send-code.ts";
import { getOwner } from "../passwords/store.ts";
import { verifyCode } from "../passwords/verify-code.ts";
import type { OwnerDeps } from "../passwords/verify-owner.ts";
import { type FreshDeps, requireFreshProof } from "../tokens/fresh-proof.ts";
import { getRefusal, replaceEmail } from "./store.ts";
import type { EmailChange } from "./wire.ts";

/**
 * Mails a code to a new address, and a notice to the present one. A taken address gets the same answer, and its owner a mail.
 * @throws SigninError `invalid_request` for the present address, `reauthentication_required`, `mail_unavailable`,
 * `session_expired`
 */
export async function requestEmailChange(
  deps: SendDeps & FreshDeps,
  user: AccessClaims,
  email: EmailAddress,
): Promise<void> {
  await requireFreshProof(deps, user);
  const owner = await getOwner(deps.db, user.userId);
  if (email.email === owner.email) {
    throw invalidRequest("email: is the address of this account already");
  }
  await requestCode(deps, { purpose: "email", email, owner });
}

/**
 * Gives the account the address that the code proves. Pending codes of the account end, as they went to the former mailbox.
 * @throws SigninError `reauthentication_required`, `invalid_code`, `email_in_use`, `signup_closed`, `rate_limited`
 */
export async function completeEmailChange(
  deps: OwnerDeps & NoticeDeps & FreshDeps,
  user: AccessClaims,
  { email, code }: EmailChange,
): Promise<void> {
  await requireFreshProof(deps, user);
  const { userId, sessionId } = user;
  const owner = await getOwner(deps.db, userId);
  const codeId = await verifyCode(deps, { purpose: "email", subject: email.norm, code });
  const now = unixNow(deps.clock);
  const may = mayTakeAddress(deps.config, { email, now });
  const change = { owner, sessionId, email, may, now };
  if (!(await replaceEmail(deps.db, change, codeId))) {
    // A client with an unused code proved the address, so it may know.
    throw failure(await getRefusal(deps.db, change, codeId));
  }
  deps.record({ type: "email.changed", outcome: "success", ...user });
  deps.background(noticeNewAddress(deps, { userId, from: owner.email, to: email.email }));
}
