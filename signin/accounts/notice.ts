import { toIsoTime } from "../../shared/clock.ts";
import { toNetworkKey } from "../audit/address.ts";
import { describeDevice } from "../audit/device-name.ts";
import type { Scope } from "../deps.ts";
import { composeMail, type MailFacts, type WaysToSignIn } from "../mail/compose-mail.ts";
import type { MailKind } from "../mail/mail-kinds.ts";
import { type MailDeps, sendMail } from "../mail/send-mail.ts";
import { countRequest, type GuardDeps } from "../rate-limits/guard.ts";
import { type AccountState, findAccount, listPasskeyLabels } from "./store.ts";

export type NoticeDeps = GuardDeps & MailDeps & Pick<Scope, "db" | "clock" | "background">;

/** Something that happened to an account. */
export interface Notice {
  userId: string;
  kind: MailKind;
  provider?: string;
}

/**
 * Mails the owner what was added to the account or removed from it, with all its present ways to sign in. The response does
 * not wait for the mail. A failure is logged and recorded.
 */
export function sendNotice(deps: NoticeDeps, notice: Notice): void {
  if (deps.config.mail.kind !== "none") deps.background(deliver(deps, notice));
}

/** The same, for work that runs in the background already. */
export async function deliver(deps: NoticeDeps, notice: Notice): Promise<void> {
  const { userId, kind, provider = "" } = notice;
  // Each kind has its own limit: many notices of one kind do not suppress another.
  if (!(await countRequest(deps, "noticePerUser", `${userId} ${kind} ${provider}`)).ok) return;
  const [account, passkeys] = await Promise.all([
    findAccount(deps.db, userId),
    listPasskeyLabels(deps.db, userId),
  ]);
  if (!account) return;
  const { email: to } = account.user;
  const facts = { provider, event: describeEvent(deps, kind), ways: toWays(account, passkeys) };
  const mail = composeMail(deps.config, { kind, to, language: deps.client.language, facts });
  await sendMail(deps, mail, { name: `notice.${kind}`, userId });
}

/** When and where a request was made; which device it was matters where that is new. */
export function describeEvent(
  { clock, client }: Pick<Scope, "clock" | "client">,
  kind: MailKind,
): MailFacts["event"] {
  const network = toNetworkKey(client.address);
  return {
    at: toIsoTime(clock.now()),
    network: network === "unknown" ? null : network,
    device: kind === "new_device" ? describeDevice(client.userAgent) : null,
  };
}

function toWays(
  { hasPassword, connections }: AccountState,
  passkeys: WaysToSignIn["passkeys"],
): WaysToSignIn {
  const listed = (wanted: boolean) =>
    connections
      .filter(({ isKey }) => isKey === wanted)
      .map(({ provider: name, connectedAt: since }) => ({ name, since }));
  return { hasPassword, logins: listed(false), passkeys, apiKeys: listed(true) };
}
