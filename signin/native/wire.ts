import { z } from "@hono/zod-openapi";
import { NATIVE_CODE_CHARACTERS_MAX } from "../limits.ts";
import { VERIFIER } from "./pkce.ts";

/** `POST /auth/native/token`. */
export const NativeToken = z
  .object({
    code: z.string().min(1).max(NATIVE_CODE_CHARACTERS_MAX),
    code_verifier: z
      .string()
      .regex(VERIFIER, "must be 43 to 128 characters of A-Z, a-z, 0-9, -, ., _ and ~"),
  })
  .openapi("NativeToken");
export type NativeToken = z.infer<typeof NativeToken>;
