import type { Mail } from "./mailer.ts";

/** Where it happened, and who reported the new address. */
interface Change {
  baseUrl: string;
  provider: string;
}

/**
 * The mails of an address that followed its provider, to both mailboxes. The old one may be another person's by now, so
 * it does not learn the new address.
 */
export function changedAddressMails(
  { baseUrl, provider }: Change,
  addresses: { from: string; to: string },
): Mail[] {
  const { host } = new URL(baseUrl);
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

function letter(...paragraphs: string[]): string {
  return `${paragraphs.join("\n\n")}\n`;
}
