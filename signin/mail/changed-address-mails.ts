import { hostOf, letter } from "./letter.ts";
import type { Mail } from "./mailer.ts";

/**
 * The mails about an address that a provider changed, to both mailboxes. The former one may belong to another person by now,
 * so its mail does not contain the new address.
 */
export function changedAddressMails(
  { baseUrl, provider }: { baseUrl: string; provider: string },
  addresses: { from: string; to: string },
): Mail[] {
  const host = hostOf(baseUrl);
  const subject = "The address of your account was changed";
  return [
    {
      to: addresses.from,
      subject,
      text: letter(
        `${provider} reports another address for you. Your account at ${host} uses that one now.`,
        "Codes and notices of the account no longer come here.",
        `If you did not change your address at ${provider}, check your account there, then sign in at ${host} and end all sessions.`,
      ),
    },
    {
      to: addresses.to,
      subject,
      text: letter(
        `${provider} reports this address for you. Your account at ${host} uses it now.`,
        "Codes and notices of the account come here from now on.",
        `If you have no account at ${host}, check who uses this address at ${provider}.`,
      ),
    },
  ];
}
