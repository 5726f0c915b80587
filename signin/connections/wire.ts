import { z } from "@hono/zod-openapi";
import { API_KEY_PROVIDERS } from "../config/variables.ts";
import { toTime } from "../db/time.ts";
import { API_KEY_CHARACTERS_MAX } from "../limits.ts";

/** `POST /auth/apikey`. A key is sent in a header: printable ASCII without spaces. */
export const ConnectApiKey = z
  .object({
    provider_slug: z.enum(API_KEY_PROVIDERS).describe("The provider of the key."),
    api_key: z
      .string()
      .max(API_KEY_CHARACTERS_MAX)
      .trim()
      .min(1)
      .regex(/^[\x21-\x7e]*$/, "must be printable ASCII without spaces")
      .describe(
        "The key: printable ASCII without spaces, trimmed; at most 4,096 characters. It is stored sealed.",
      ),
  })
  .openapi("ConnectApiKey", { description: "An API key to store." });
export type ConnectApiKey = z.infer<typeof ConnectApiKey>;

/** The only information returned about a stored API key. */
export const ConnectedApiKey = z
  .object({
    provider_slug: z.enum(API_KEY_PROVIDERS).describe("The provider of the key."),
    hint: z.string().describe("The last characters of the stored API key, masked."),
  })
  .openapi("ConnectedApiKey", { description: "A stored key." });
export type ConnectedApiKey = z.infer<typeof ConnectedApiKey>;

/** An identity of the account; one that is not confirmed was linked without fresh proof. */
const Identity = z
  .object({
    provider: z.string().describe("The slug of the provider."),
    linked_at: z.string().describe("When it was linked, ISO-8601 in UTC."),
    confirmed: z.boolean().describe("Whether a sign-in with it is a fresh proof."),
  })
  .openapi("Identity", { description: "An identity that signs in to the account." });
type Identity = z.infer<typeof Identity>;

/** `GET /auth/identities`. */
export const IdentityList = z
  .object({ identities: z.array(Identity).describe("The oldest first.") })
  .openapi("IdentityList", { description: "The identities of the account." });
export type IdentityList = z.infer<typeof IdentityList>;

export function toIdentity(row: {
  provider: string;
  linkedAt: number;
  isUnconfirmed: boolean | null;
}): Identity {
  const { provider, linkedAt, isUnconfirmed } = row;
  return { provider, linked_at: toTime(linkedAt), confirmed: !isUnconfirmed };
}
