import { z } from "@hono/zod-openapi";
import { DISPLAY_NAME_CHARACTERS_MAX, EMAIL_CODE_DIGITS, LONG_CODE_CHARACTERS } from "../limits.ts";
import { parseEmail } from "../mail/email-address.ts";
import { isOneLine } from "../one-line.ts";
import { FactorOfSignIn } from "../second-factor/wire.ts";
import { parseCode } from "./codes.ts";

/** An e-mail address, parsed once: rules get both of its forms. */
export const Email = z
  .string()
  .trim()
  .transform((text, context) => {
    const address = parseEmail(text);
    if (address) return address;
    context.addIssue({ code: "custom", message: "must be an e-mail address" });
    return z.NEVER;
  })
  .openapi({ type: "string", format: "email" })
  .describe("The e-mail address; trimmed, compared without case.");

// Never trimmed or normalized: the hash is of the password as sent. The rules for new passwords are in rules.ts.
export const Password = z
  .string()
  .min(1)
  .refine((text) => text.isWellFormed(), "must be valid text")
  .openapi({ format: "password" })
  .describe("The password; it is never trimmed.");

const NewPassword = Password.describe(
  "The new password: 10 to 256 characters, and none of the common ones. It is never trimmed.",
);

/** A mailed code, parsed once: blanks, hyphens and case do not matter. */
export const Code = z
  .string()
  .transform((text, context) => {
    const code = parseCode(text);
    if (code !== undefined) return code;
    const message = `must be ${EMAIL_CODE_DIGITS} digits, or ${LONG_CODE_CHARACTERS} letters and digits`;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  })
  .openapi({ type: "string" })
  .describe(
    "The mailed code: 8 digits, or 26 letters and digits; blanks, hyphens and case do not matter.",
  );

const DisplayName = z
  .string()
  .trim()
  .max(DISPLAY_NAME_CHARACTERS_MAX)
  .refine(isOneLine, "must be one line of text");

/** `POST /auth/login`. */
export const PasswordLogin = z
  .object({ email: Email, password: Password, second_factor: FactorOfSignIn })
  .openapi("PasswordLogin", { description: "An e-mail address with its password." });
export type PasswordLogin = z.output<typeof PasswordLogin>;

/** `POST /auth/signup/code`, `POST /auth/password/reset/code` and `POST /auth/login/code`. */
export const CodeRequest = z
  .object({ email: Email })
  .openapi("CodeRequest", { description: "The recipient of a code." });

/** The answer to every code request. */
export const Notice = z
  .object({ notice: z.string().describe("A sentence to show to the user.") })
  .openapi("Notice", { description: "The response to a request for a code." });

/** The answer where the code goes to an address that may be new. */
export const NEW_ADDRESS_NOTICE = "We have sent a message to this address. Please read it.";

/** The answer where the code goes to the user's own address. */
export const OWN_CODE_NOTICE = "We have sent a code to the address of your account.";

/** `POST /auth/signup/complete`. */
export const SignupComplete = z
  .object({
    email: Email,
    code: Code,
    password: NewPassword.optional().describe(
      "The new password: 10 to 256 characters, and none of the common ones. It is never trimmed. Left out where the browser came back from a provider whose address proves nothing: its identity is the way to sign in.",
    ),
    display_name: DisplayName.nullish().describe(
      "The name to show, one line of at most 100 characters; null or left out where there is none.",
    ),
  })
  .openapi("SignupComplete", { description: "A mailed sign-up code, and the new account." });
export type SignupComplete = z.output<typeof SignupComplete>;

/** `POST /auth/login/code/complete`. */
export const CodeLogin = z
  .object({ email: Email, code: Code, second_factor: FactorOfSignIn })
  .openapi("CodeLogin", { description: "A mailed code, with its address." });
export type CodeLogin = z.output<typeof CodeLogin>;

/** `POST /auth/password`: the old password or a mailed code. */
export const PasswordChange = z
  .object({
    current_password: Password.optional().describe(
      "The present password. A wrong one is 400 `invalid_password`.",
    ),
    code: Code.optional(),
    new_password: NewPassword,
  })
  .openapi("PasswordChange", {
    description: "A new password, and what proves that its owner wants it: one of the two.",
  });
export type PasswordChange = z.output<typeof PasswordChange>;

/** `POST /auth/password/reset/complete`. */
export const ResetComplete = z
  .object({ email: Email, code: Code, password: NewPassword, second_factor: FactorOfSignIn })
  .openapi("ResetComplete", { description: "A mailed code, and the new password." });
export type ResetComplete = z.output<typeof ResetComplete>;
