import { z } from "@hono/zod-openapi";
import { AuthenticationResponse } from "../passkeys/wire.ts";
import { Code, Password } from "../passwords/wire.ts";

/** `POST /auth/reauthenticate`: exactly one of the three. */
export const Reauthentication = z
  .object({
    password: Password.optional().describe("The password. A wrong one is 400 `invalid_password`."),
    code: Code.optional().describe("The mailed code: 8 digits."),
    credential: z
      .lazy(() => AuthenticationResponse)
      .optional()
      .describe(
        "`AuthenticationResponseJSON` of WebAuthn. One of another account is 400 `invalid_passkey`.",
      ),
  })
  .openapi("Reauthentication", {
    description: "What proves the account: exactly one of the three.",
  });
export type Reauthentication = z.output<typeof Reauthentication>;
