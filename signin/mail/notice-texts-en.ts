import { hostOf } from "./letter.ts";
import type { NoticeFacts, NoticeKind, NoticeTexts } from "./notice-texts.ts";

/** Notices in English. */
export const ENGLISH_NOTICES: NoticeTexts = {
  subject: {
    identity_linked: "A way to sign in was added to your account",
    identity_removed: "A way to sign in was removed from your account",
    passkey_added: "A passkey was added to your account",
    passkey_removed: "A passkey was removed from your account",
    password_set: "Your account has a password now",
    password_changed: "Your password was changed",
    api_key_connected: "An API key was connected to your account",
    api_key_removed: "An API key was removed from your account",
  },
  paragraphs(facts) {
    const where = facts.network === null ? "" : `, from the network ${facts.network}`;
    const when = `Account: ${hostOf(facts.baseUrl)}\nTime: ${toMinute(facts.at)}${where}`;
    return [describeChange(facts), when, listWaysToSignIn(facts), ...describeRemedy(facts)];
  },
};

function describeChange({ kind, provider }: NoticeFacts): string {
  switch (kind) {
    case "identity_linked":
      return `${provider} was connected. An identity of ${provider} can sign in to your account now.`;
    case "identity_removed":
      return `${provider} was disconnected. It can no longer sign in to your account.`;
    case "passkey_added":
      return "A passkey was added. It can sign in to your account now.";
    case "passkey_removed":
      return "A passkey was removed. It can no longer sign in to your account.";
    case "password_set":
      return "A password was set with a code that was mailed to this address. All other sessions have ended.";
    case "password_changed":
      return "The password was changed with a code that was mailed to this address. All other sessions have ended.";
    case "api_key_connected":
      return `An API key of ${provider} was connected. A key that was there before is replaced.`;
    case "api_key_removed":
      return `The API key of ${provider} was removed.`;
  }
}

function listWaysToSignIn({ hasPassword, logins, passkeys, apiKeys }: NoticeFacts): string {
  const lines = [
    "Ways to sign in now:",
    ...(hasPassword ? ["- password"] : []),
    ...logins.map(toLine),
    ...passkeys.map(({ provider, since }) => toLine({ provider: `passkey "${provider}"`, since })),
    ...(apiKeys.length > 0 ? ["", "API keys:", ...apiKeys.map(toLine)] : []),
  ];
  return lines.join("\n");
}

const PASSWORD_KINDS: readonly NoticeKind[] = ["password_set", "password_changed"];

function describeRemedy({ kind, baseUrl }: NoticeFacts): string[] {
  const stays =
    "A new password does not remove providers: each one in the list still signs in to your account.";
  if (PASSWORD_KINDS.includes(kind)) {
    return [
      `${stays} Disconnect those that you do not know at ${baseUrl}.`,
      "If it was not you: secure your mailbox first, then set a new password there.",
    ];
  }
  return [
    `If it was not you: set a new password at ${baseUrl} ("Forgot the password?"), which ends all sessions. Then disconnect what you do not know. ${stays}`,
  ];
}

function toLine({ provider, since }: { provider: string; since: string }): string {
  return `- ${provider}, since ${toMinute(since)}`;
}

/** `2026-01-02 03:04 UTC`. */
function toMinute(iso: string): string {
  return `${iso.slice(0, 16).replace("T", " ")} UTC`;
}
