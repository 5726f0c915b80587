import { z } from "@hono/zod-openapi";
import { API_KEY_PROVIDERS } from "../config/variables.ts";
import { API_KEY_CHARACTERS_MAX } from "../limits.ts";

/** `POST /auth/apikey`. A key is sent in a header: printable ASCII without spaces. */
export const ConnectApiKey = z
  .object({
    provider_slug: z.enum(API_KEY_PROVIDERS),
    api_key: z
      .string()
      .max(API_KEY_CHARACTERS_MAX)
      .trim()
      .min(1)
      .regex(/^[\x21-\x7e]*$/, "must be printable ASCII without spaces"),
  })
  .openapi("ConnectApiKey");
export type ConnectApiKey = z.infer<typeof ConnectApiKey>;

/** The only information returned about a stored API key. */
export const ConnectedApiKey = z
  .object({ provider_slug: z.enum(API_KEY_PROVIDERS), hint: z.string() })
  .openapi("ConnectedApiKey");
export type ConnectedApiKey = z.infer<typeof ConnectedApiKey>;
