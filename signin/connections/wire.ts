import { z } from "@hono/zod-openapi";
import { API_KEY_PROVIDERS } from "../config/variables.ts";
import { toTime } from "../db/time.ts";
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

/** An identity of the account; one that is not confirmed was linked without fresh proof. */
const Identity = z
  .object({ provider: z.string(), linked_at: z.string(), confirmed: z.boolean() })
  .openapi("Identity");
type Identity = z.infer<typeof Identity>;

/** `GET /auth/identities`. */
export const IdentityList = z.object({ identities: z.array(Identity) }).openapi("IdentityList");
export type IdentityList = z.infer<typeof IdentityList>;

export function toIdentity(row: {
  provider: string;
  linkedAt: number;
  isUnconfirmed: boolean | null;
}): Identity {
  const { provider, linkedAt, isUnconfirmed } = row;
  return { provider, linked_at: toTime(linkedAt), confirmed: !isUnconfirmed };
}
