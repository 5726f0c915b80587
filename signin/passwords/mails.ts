import type { SigninConfig } from "../config/config.ts";
import { EMAIL_CODE_LIFETIME_SEC } from "../limits.ts";
import { hostOf, letter } from "../mail/letter.ts";
import type { Mail } from "../mail/mailer.ts";

type Place = Pick<SigninConfig, "baseUrl">;

const MINUTES = EMAIL_CODE_LIFETIME_SEC / 60;

/** The code of a sign-up. */
export function signupCodeMail({ baseUrl }: Place, to: string, code: string): Mail {
  return {
    to,
    subject: "Finish creating your account",
    text: letter(
      `Someone, hopefully you, is creating an account at ${hostOf(baseUrl)} with this address.`,
      `Your code: ${code}`,
      `It works once, for ${MINUTES} minutes. Enter it where you asked for it, and do not share it.`,
      "If it was not you, ignore this message: without the code no account is made.",
    ),
  };
}

/** For an address that has an account: only its owner learns that it does. */
export function accountExistsMail({ baseUrl }: Place, to: string): Mail {
  return {
    to,
    subject: "You already have an account",
    text: letter(
      `Someone, hopefully you, tried to create an account at ${hostOf(baseUrl)} with this address. It has one already.`,
      "Sign in the way you did before. If you have forgotten your password, or never had one, ask for a reset there.",
      "If it was not you, ignore this message: nothing has changed.",
    ),
  };
}

/** The code of a password reset. */
export function resetCodeMail({ baseUrl }: Place, to: string, code: string): Mail {
  return {
    to,
    subject: "Set a new password",
    text: letter(
      `Someone, hopefully you, wants to set a new password for your account at ${hostOf(baseUrl)}.`,
      `Your code: ${code}`,
      `It works once, for ${MINUTES} minutes. Enter it where you asked for it, and do not share it.`,
      "A new password ends all sessions. It does not remove connected providers: check them after you have signed in.",
      "If it was not you, ignore this message: your password stays as it is.",
    ),
  };
}
