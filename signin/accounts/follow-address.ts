import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import type { MailDeps } from "../mail/send-mail.ts";
import type { VerifiedIdentity } from "../providers/provider.ts";
import { noticeNewAddress } from "./notice.ts";
import { type KnownIdentity, replaceFollowedEmail } from "./store.ts";

export type FollowDeps = MailDeps & Pick<Scope, "db" | "clock" | "background">;

/**
 * At a sign-in, the account takes the verified address that the provider now reports. Otherwise a new owner of the former
 * mailbox could set a password. It applies only where this provider gave the account its present address, the account has no
 * password, and no other account has the new address. Both mailboxes get a mail.
 */
export async function followAddress(
  deps: FollowDeps,
  known: KnownIdentity,
  { provider, identity }: { provider: string; identity: VerifiedIdentity },
): Promise<void> {
  const { subject, email: address } = identity;
  const { userId, email: from } = known;
  // Another spelling of the mailbox is no change, also where an earlier version normalized it differently.
  if (!address || address.norm === known.emailNorm || address.email === from) return;
  if (known.hasPassword || known.emailAtLink !== from) return;
  const now = unixNow(deps.clock);
  const change = { userId, provider, subject, from, address, now };
  if (!(await replaceFollowedEmail(deps.db, change))) return;
  const detail = { provider };
  deps.record({ type: "email.changed", outcome: "success", userId, detail });
  deps.background(noticeNewAddress(deps, { userId, from, to: address.email, provider }));
}
