import { z } from "@hono/zod-openapi";
import { RECOVERY_CODE_CHARACTERS, RECOVERY_CODES, TOTP_DIGITS } from "../limits.ts";
import { parseSecondFactor } from "./parse.ts";

/** What a person enters as the second factor, parsed once: a code of the app, or a recovery code. */
export const SecondFactor = z
  .string()
  .transform((text, context) => {
    const given = parseSecondFactor(text);
    if (given) return given;
    const message = `must be ${TOTP_DIGITS} digits, or a recovery code of ${RECOVERY_CODE_CHARACTERS} letters and digits`;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  })
  .openapi({ type: "string" })
  .describe(
    "The present code of the authenticator app, 6 digits, or a recovery code; blanks, hyphens and case do not matter.",
  );
export type SecondFactor = z.output<typeof SecondFactor>;

/** The second factor of a sign-in, which is refused without it if the account has one. */
export const FactorOfSignIn = SecondFactor.optional().describe(
  "The code of the authenticator app, 6 digits, or a recovery code, if the account has a second factor. Without it the answer is 401 `second_factor_required`, with a wrong one 401 `second_factor_rejected`; nothing is used up then.",
);

/** `POST /auth/second-factor/identity`. */
export const IdentityFactor = z
  .object({ second_factor: SecondFactor })
  .openapi("IdentityFactor", { description: "The second factor of a sign-in with a provider." });

/** `GET /auth/second-factor`. */
export const SecondFactorState = z
  .object({
    enabled: z.boolean().describe("Whether sign-ins need a second factor."),
    recovery_codes_left: z.int().describe("How many recovery codes are unused."),
  })
  .openapi("SecondFactorState", { description: "The second factor of the account." });
export type SecondFactorState = z.infer<typeof SecondFactorState>;

export function toSecondFactorState(state: {
  isEnabled: boolean;
  recoveryCodes: number;
}): SecondFactorState {
  return { enabled: state.isEnabled, recovery_codes_left: state.recoveryCodes };
}

/** `POST /auth/second-factor/totp/options`. */
export const TotpOptions = z
  .object({
    secret: z.string().describe("The secret in base32, for apps that read no QR code."),
    uri: z.string().describe("The secret as an `otpauth:` address."),
    qr: z.string().describe("The address as a QR code: an SVG image."),
  })
  .openapi("TotpOptions", { description: "A new secret, good for ten minutes." });
export type TotpOptions = z.infer<typeof TotpOptions>;

/** `POST /auth/second-factor/totp`. */
export const TotpCode = z
  .object({
    code: z
      .string()
      .transform((text, context) => {
        const given = parseSecondFactor(text);
        if (given?.kind === "code") return given.code;
        context.addIssue({ code: "custom", message: `must be ${TOTP_DIGITS} digits` });
        return z.NEVER;
      })
      .openapi({ type: "string" })
      .describe("The present code of the app. A wrong one is 400 `invalid_second_factor`."),
  })
  .openapi("TotpCode", { description: "A code that shows that the app has the secret." });

/** The answer with new recovery codes. No other one has them. */
export const RecoveryCodeList = z
  .object({
    recovery_codes: z
      .array(z.string())
      .describe(`${RECOVERY_CODES} codes, each good once in place of a code of the app.`),
  })
  .openapi("RecoveryCodeList", { description: "New recovery codes: they are shown this once." });
export type RecoveryCodeList = z.infer<typeof RecoveryCodeList>;
