import { z } from "@hono/zod-openapi";
import { AuthenticationResponse } from "../passkeys/wire.ts";
import { Code, Password } from "../passwords/wire.ts";

/** `POST /auth/reauthenticate`: exactly one of the three. */
export const Reauthentication = z
  .object({
    password: Password.optional(),
    code: Code.optional(),
    credential: AuthenticationResponse.optional(),
  })
  .openapi("Reauthentication");
export type Reauthentication = z.output<typeof Reauthentication>;
