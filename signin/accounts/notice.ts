import { toIsoTime } from "../../shared/clock.ts";
import { toNetworkKey } from "../audit/address.ts";
import type { Scope } from "../deps.ts";
import { letter } from "../mail/letter.ts";
import type { Mail } from "../mail/mailer.ts";
import type { NoticeFacts, NoticeKind } from "../mail/notice-texts.ts";
import { ENGLISH_NOTICES } from "../mail/notice-texts-en.ts";
import { type MailDeps, sendMail } from "../mail/send-mail.ts";
import { countRequest, type GuardDeps } from "../rate-limits/guard.ts";
import { AccountUser } from "../tokens/wire.ts";
import { type AccountState, findAccount, listPasskeyLabels } from "./store.ts";

export type NoticeDeps = GuardDeps & MailDeps & Pick<Scope, "db" | "clock" | "background">;

/** A change of an account. */
export interface Notice {
  userId: string;
  kind: NoticeKind;
  provider?: string;
}

/**
 * Mails the owner what was added to the account or removed from it, with all its present ways to sign in. The response does
 * not wait for the mail. A failure is logged and recorded.
 */
export function sendNotice(deps: NoticeDeps, notice: Notice): void {
  if (deps.config.mail.kind !== "none") deps.background(deliver(deps, notice));
}

async function deliver(deps: NoticeDeps, notice: Notice): Promise<void> {
  const { userId, kind, provider = "" } = notice;
  // Each kind has its own limit: many notices of one kind do not suppress another.
  if (!(await countRequest(deps, "noticePerUser", `${userId} ${kind} ${provider}`)).ok) return;
  const [account, passkeys] = await Promise.all([
    findAccount(deps.db, userId),
    listPasskeyLabels(deps.db, userId),
  ]);
  if (!account) return;
  await sendMail(deps, toMail(deps, notice, { ...account, passkeys }), {
    name: `notice.${kind}`,
    userId,
  });
}

function toMail(
  { config, clock, client }: NoticeDeps,
  { kind, provider = "" }: Notice,
  { user, hasPassword, connections, passkeys }: AccountState & Pick<NoticeFacts, "passkeys">,
): Mail {
  const network = toNetworkKey(client.address);
  const listed = (wanted: boolean) =>
    connections
      .filter(({ isKey }) => isKey === wanted)
      .map((found) => ({ provider: found.provider, since: found.connectedAt }));
  const facts: NoticeFacts = {
    kind,
    provider,
    baseUrl: config.baseUrl,
    at: toIsoTime(clock.now()),
    network: network === "unknown" ? null : network,
    hasPassword,
    logins: listed(false),
    passkeys,
    apiKeys: listed(true),
  };
  return {
    to: AccountUser.parse(JSON.parse(user)).email,
    subject: ENGLISH_NOTICES.subject[kind],
    text: letter(...ENGLISH_NOTICES.paragraphs(facts)),
  };
}
