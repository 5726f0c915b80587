import { z } from "@hono/zod-openapi";
import { DISPLAY_NAME_CHARACTERS_MAX, EMAIL_CODE_DIGITS, LONG_CODE_CHARACTERS } from "../limits.ts";
import { parseEmail } from "../mail/email-address.ts";
import { isOneLine } from "../one-line.ts";
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
  .openapi({ type: "string", format: "email" });

// Never trimmed or normalized: the hash is of the password as sent. The rules for new passwords are in rules.ts.
export const Password = z
  .string()
  .min(1)
  .refine((text) => text.isWellFormed(), "must be valid text")
  .openapi({ format: "password" });

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
  .openapi({ type: "string" });

const DisplayName = z
  .string()
  .trim()
  .max(DISPLAY_NAME_CHARACTERS_MAX)
  .refine(isOneLine, "must be one line of text");

/** `POST /auth/login`. */
export const PasswordLogin = z
  .object({ email: Email, password: Password })
  .openapi("PasswordLogin");
export type PasswordLogin = z.output<typeof PasswordLogin>;

/** `POST /auth/signup/code`, `POST /auth/password/reset/code` and `POST /auth/login/code`. */
export const CodeRequest = z.object({ email: Email }).openapi("CodeRequest");

/** The answer to every code request. */
export const Notice = z.object({ notice: z.string() }).openapi("Notice");

/** The answer where the code goes to an address that may be new. */
export const NEW_ADDRESS_NOTICE = "We have sent a message to this address. It says how to go on.";

/** The answer where the code goes to the user's own address. */
export const OWN_CODE_NOTICE = "We have sent a code to the address of your account.";

/** `POST /auth/signup/complete`. */
export const SignupComplete = z
  .object({ email: Email, code: Code, password: Password, display_name: DisplayName.nullish() })
  .openapi("SignupComplete");
export type SignupComplete = z.output<typeof SignupComplete>;

/** `POST /auth/login/code/complete`. */
export const CodeLogin = z.object({ email: Email, code: Code }).openapi("CodeLogin");
export type CodeLogin = z.output<typeof CodeLogin>;

/** `POST /auth/password`: the old password or a mailed code. */
export const PasswordChange = z
  .object({
    current_password: Password.optional(),
    code: Code.optional(),
    new_password: Password,
  })
  .openapi("PasswordChange");
export type PasswordChange = z.output<typeof PasswordChange>;

/** `POST /auth/password/reset/complete`. */
export const ResetComplete = z
  .object({ email: Email, code: Code, password: Password })
  .openapi("ResetComplete");
export type ResetComplete = z.output<typeof ResetComplete>;
