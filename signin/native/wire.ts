import { z } from "@hono/zod-openapi";
import { NATIVE_CODE_CHARACTERS_MAX } from "../limits.ts";
import { VERIFIER } from "./pkce.ts";

/** `POST /auth/native/token`. */
export const NativeToken = z
  .object({
    code: z
      .string()
      .min(1)
      .max(NATIVE_CODE_CHARACTERS_MAX)
      .describe("The code that the loopback address got."),
    code_verifier: z
      .string()
      .regex(VERIFIER, "must be 43 to 128 characters of A-Z, a-z, 0-9, -, ., _ and ~")
      .describe("The PKCE verifier: 43 to 128 characters of A-Z, a-z, 0-9, -, ., _ and ~."),
  })
  .openapi("NativeToken", {
    description: "The one-time code of a native sign-in, with its proof.",
  });
export type NativeToken = z.infer<typeof NativeToken>;
