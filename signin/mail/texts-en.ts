import type { MailTexts } from "./mail-kinds.ts";

/** Mails in English. */
export const ENGLISH: MailTexts = {
  mails: {
    signup_code: [
      "Finish creating your account",
      "Someone, hopefully you, is creating an account at {host} with this address.",
      "If it was not you, ignore this message: without the code no account is made.",
    ],
    account_exists: [
      "You already have an account",
      "Someone, hopefully you, tried to create an account at {host} with this address. It has one already.",
      "Sign in the way you did before. If you have forgotten your password, or never had one, ask for a reset there.",
      "If it was not you, ignore this message: nothing has changed.",
    ],
    reset_code: [
      "Set a new password",
      "Someone, hopefully you, wants to set a new password for your account at {host}.",
      "A new password ends all sessions. It does not remove connected providers: check them after you have signed in.",
      "If it was not you, ignore this message: your password stays as it is.",
    ],
    login_code: [
      "Your code to sign in",
      "Someone, hopefully you, wants to sign in to your account at {host}.",
      "If it was not you, ignore this message: without the code this sign-in ends here.",
    ],
    password_code: [
      "Your code to change the password",
      "Someone who is signed in to your account at {host}, hopefully you, wants to change its password.",
    ],
    delete_code: [
      "Your code to delete the account",
      "Someone who is signed in to your account at {host}, hopefully you, wants to delete it. That cannot be undone.",
    ],
    reauthentication_code: [
      "Your code to confirm that it is you",
      "Someone who is signed in to your account at {host}, hopefully you, wants to change how it is protected, and confirms it first.",
    ],
    email_code: [
      "Confirm your new address",
      "Someone, hopefully you, wants to use this address for an account at {host}.",
      "If it was not you, ignore this message: without the code nothing changes.",
    ],
    email_taken: [
      "Your address was asked for",
      "Someone, hopefully you, tried to use this address for another account at {host}. It belongs to your account.",
      "If it was not you, ignore this message: nothing has changed.",
    ],
    email_requested: [
      "Your account is about to get another address",
      "Someone who is signed in to your account, hopefully you, wants to use another address for it. A code was sent there; until it is entered, nothing changes.",
    ],
    email_changed_from: [
      "The address of your account was changed",
      "Your account uses another address now, which was proved with a mailed code. Codes and notices of the account no longer come here.",
      "If it was not you: sign in at {url} at once, end all other sessions, and change the address back. If you cannot sign in, turn to the operator of {host}.",
    ],
    email_changed_to: [
      "The address of your account was changed",
      "Your account uses this address now. Codes and notices of the account come here from now on.",
      "If you have no account at {host}, someone with access to this mailbox entered a code from it: secure your mailbox.",
    ],
    provider_email_from: [
      "The address of your account was changed",
      "{provider} reports another address for you. Your account at {host} uses that one now.",
      "Codes and notices of the account no longer come here.",
      "If you did not change your address at {provider}, check your account there, then sign in at {host} and end all sessions.",
    ],
    provider_email_to: [
      "The address of your account was changed",
      "{provider} reports this address for you. Your account at {host} uses it now.",
      "Codes and notices of the account come here from now on.",
      "If you have no account at {host}, check who uses this address at {provider}.",
    ],
    identity_linked: [
      "A way to sign in was added to your account",
      "{provider} was connected. An identity of {provider} can sign in to your account now.",
    ],
    identity_removed: [
      "A way to sign in was removed from your account",
      "{provider} was disconnected. It can no longer sign in to your account.",
    ],
    passkey_added: [
      "A passkey was added to your account",
      "A passkey was added. It can sign in to your account now.",
    ],
    passkey_removed: [
      "A passkey was removed from your account",
      "A passkey was removed. It can no longer sign in to your account.",
    ],
    api_key_connected: [
      "An API key was connected to your account",
      "An API key of {provider} was connected. A key that was there before is replaced.",
    ],
    api_key_removed: [
      "An API key was removed from your account",
      "The API key of {provider} was removed.",
    ],
    new_device: [
      "Your account was used on a new device",
      "A device signed in to your account that has not done so before. If it was yours, there is nothing to do.",
    ],
    password_set: [
      "Your account has a password now",
      "A password was set with a code that was mailed to this address. All other sessions have ended.",
    ],
    password_changed: [
      "Your password was changed",
      "The password was changed with a code that was mailed to this address. All other sessions have ended.",
    ],
    password_replaced: [
      "Your password was changed",
      "The password was changed by someone who entered the old one. All other sessions have ended.",
    ],
    account_deleted: [
      "Your account was deleted",
      "Your account was deleted, with its ways to sign in, its sessions and its API keys.",
      "If it was not you, secure your mailbox, and turn to the operator of {host}.",
    ],
  },
  words: {
    code: "Your code: {code}",
    once: "It works once, for {minutes} minutes. Enter it where you asked for it, and do not share it.",
    onceLong:
      "Many codes were asked for today, so this one is long. It works once, for {hours} hours, and no other one is mailed before. Copy it to where you asked for it, and do not share it.",
    account: "Account: {host}\nTime: {time}",
    from: ", from the network {network}",
    device: "Device: {device}",
    ways: "Ways to sign in now:",
    password: "password",
    passkey: "passkey",
    since: "{name}, since {time}",
    apiKeys: "API keys:",
    providersStay:
      "A new password does not remove providers: each one in the list still signs in to your account.",
    disconnect: "Disconnect those that you do not know at {url}.",
    secureMailbox: "If it was not you: secure your mailbox first, then set a new password there.",
    remedy:
      'If it was not you: set a new password at {url} ("Forgot the password?"), which ends all sessions. Then disconnect what you do not know.',
    intruder:
      'If it was not you, someone else is signed in to your account: set a new password at {url} ("Forgot the password?"), which ends all sessions.',
  },
};
