import { toIsoTime } from "../../shared/clock.ts";
import { toNetworkKey } from "../audit/address.ts";
import { describeDevice } from "../audit/device-name.ts";
import type { Scope } from "../deps.ts";
import type { MailFacts, WaysToSignIn } from "../mail/compose-mail.ts";
import type { MailKind } from "../mail/mail-kinds.ts";
import { type MailDeps, sendMail } from "../mail/send-mail.ts";
import { type AccountState, findAccount, listPasskeyLabels } from "./store.ts";

export type NoticeDeps = MailDeps & Pick<Scope, "db" | "clock" | "background">;

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
  const [account, passkeys] = await Promise.all([
    findAccount(deps.db, userId),
    listPasskeyLabels(deps.db, userId),
  ]);
  if (!account) return;
  const { email: to } = account.user;
  const facts = {
    provider,
    event: describeEvent(deps, kind),
    ways: toWays(
      account,
      passkeys.map(({ since }) => since),
    ),
  };
  await sendMail(deps, { kind, to, facts }, { name: `notice.${kind}`, userId });
}

/**
 * Mails both mailboxes that the address of an account was changed: by its user, or because `provider` reports another one. The
 * former mailbox may belong to another person by now: its mail does not contain the new address.
 */
export async function noticeNewAddress(
  deps: MailDeps & Pick<Scope, "clock">,
  { userId, from, to, provider }: { userId: string; from: string; to: string; provider?: string },
): Promise<void> {
  const mailTo = (kind: MailKind, address: string) => {
    const facts = { provider, event: describeEvent(deps, kind) };
    return sendMail(deps, { kind, to: address, facts }, { name: "email.changed", userId });
  };
  const change = provider === undefined ? "email_changed" : "provider_email";
  await mailTo(`${change}_from`, from);
  await mailTo(`${change}_to`, to);
}

/** When and where a request was made; which device it was matters if that is new. */
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
