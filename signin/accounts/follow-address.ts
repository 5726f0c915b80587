import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { changedAddressMails } from "../mail/changed-address-mails.ts";
import { parseEmail } from "../mail/email-address.ts";
import type { VerifiedIdentity } from "../providers/provider.ts";
import { type KnownIdentity, replaceFollowedEmail } from "./store.ts";

export type FollowDeps = Pick<
  Scope,
  "db" | "clock" | "config" | "mailer" | "log" | "record" | "client" | "background"
>;

/**
 * At a sign-in: where the provider now reports another verified address, the account takes it. Otherwise the former
 * mailbox, which may get a new owner, could still reset the way in. Only where the provider gave the account its present
 * address, no password makes that address a name of its own, and no other account has the new one. Both mailboxes get a mail.
 */
export async function followAddress(
  deps: FollowDeps,
  known: KnownIdentity,
  { provider, identity }: { provider: string; identity: VerifiedIdentity },
): Promise<void> {
  const address = parseEmail(identity.email);
  const { userId, email: from } = known;
  // One mailbox in another spelling is no change, even where the rule of spellings changed since.
  if (!address || address.norm === known.emailNorm || address.email === from) return;
  if (known.hasPassword || known.emailAtLink !== from) return;
  const now = unixNow(deps.clock);
  const { subject } = identity;
  const change = { userId, provider, subject, from, address, now };
  if (!(await replaceFollowedEmail(deps.db, change))) return;
  const detail = { provider };
  deps.record({ type: "email.changed", outcome: "success", userId, detail });
  deps.background(sendNotices(deps, { userId, provider, from, to: address.email }));
}

async function sendNotices(
  { config, mailer, log, record, client }: FollowDeps,
  { userId, provider, from, to }: { userId: string; provider: string; from: string; to: string },
): Promise<void> {
  if (config.mail.kind === "none") return;
  const { baseUrl } = config;
  for (const mail of changedAddressMails({ baseUrl, provider }, { from, to })) {
    try {
      await mailer.send(mail);
    } catch (error) {
      log.error({ error, request_id: client.requestId }, "A mail could not be sent.");
      const detail = { mail: "email.changed" };
      record({ type: "mail.failed", outcome: "failure", userId, detail });
    }
  }
}
