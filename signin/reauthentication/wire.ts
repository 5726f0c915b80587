import { z } from "@hono/zod-openapi";
import { AuthenticationResponse } from "../passkeys/wire.ts";
import { Code, Password } from "../passwords/wire.ts";
import { SecondFactor } from "../second-factor/wire.ts";

/** `POST /auth/reauthenticate`: exactly one of the four. */
export const Reauthentication = z
  .object({
    password: Password.optional().describe("The password. A wrong one is 400 `invalid_password`."),
    code: Code.optional().describe("The mailed code: 8 digits."),
    second_factor: SecondFactor.optional().describe(
      "The code of the authenticator app, 6 digits, or a recovery code. A wrong one is 400 `invalid_second_factor`.",
    ),
    credential: z
      .lazy(() => AuthenticationResponse)
      .optional()
      .describe(
        "`AuthenticationResponseJSON` of WebAuthn. One of another account is 400 `invalid_passkey`.",
      ),
  })
  .openapi("Reauthentication", {
    description: "What proves the account: exactly one of the four.",
  });
export type Reauthentication = z.output<typeof Reauthentication>;
