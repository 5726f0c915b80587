import { toIsoTime } from "../../shared/clock.ts";
import { toNetworkKey } from "../audit/address.ts";
import type { Scope } from "../deps.ts";
import type { Mail } from "../mail/mailer.ts";
import type { NoticeFacts, NoticeKind } from "../mail/notice-texts.ts";
import { ENGLISH_NOTICES } from "../mail/notice-texts-en.ts";
import { countRequest, type GuardDeps } from "../rate-limits/guard.ts";
import { AccountUser } from "../tokens/wire.ts";
import { type AccountState, findAccount } from "./store.ts";

export type NoticeDeps = GuardDeps & Pick<Scope, "db" | "clock" | "mailer" | "log" | "background">;

/** What happened to which account. */
export interface Notice {
  userId: string;
  kind: NoticeKind;
  provider?: string;
}

/**
 * Mails the owner what was added to the account or removed from it, with all ways to sign in that it has now. The answer
 * does not wait for it. A failure is logged and recorded.
 */
export function sendNotice(deps: NoticeDeps, notice: Notice): void {
  if (deps.config.mail.kind !== "none") deps.background(deliver(deps, notice));
}

async function deliver(deps: NoticeDeps, notice: Notice): Promise<void> {
  const { db, mailer, record, client, log } = deps;
  const { userId, kind, provider = "" } = notice;
  // One kind cannot use up the mails of another: no notice can be held back by many of another kind.
  if (!(await countRequest(deps, "noticePerUser", `${userId} ${kind} ${provider}`)).ok) return;
  const account = await findAccount(db, userId);
  if (!account) return;
  try {
    await mailer.send(toMail(deps, notice, account));
  } catch (error) {
    log.error({ error, request_id: client.requestId }, "A mail could not be sent.");
    const detail = { mail: `notice.${kind}` };
    record({ type: "mail.failed", outcome: "failure", userId, detail });
  }
}

function toMail(
  { config, clock, client }: NoticeDeps,
  { kind, provider = "" }: Notice,
  { user, hasPassword, connections }: AccountState,
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
    apiKeys: listed(true),
  };
  return {
    to: AccountUser.parse(JSON.parse(user)).email,
    subject: ENGLISH_NOTICES.subject[kind],
    text: `${ENGLISH_NOTICES.paragraphs(facts).join("\n\n")}\n`,
  };
}
