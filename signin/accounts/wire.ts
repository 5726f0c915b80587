import { z } from "@hono/zod-openapi";
import { DISPLAY_NAME_CHARACTERS_MAX } from "../limits.ts";
import { isOneLine } from "../one-line.ts";
import { AccountUser } from "../tokens/wire.ts";

/** One line of text that a person gives to something: trimmed, of 1 to `max` characters. */
export function oneLine(max: number) {
  return z.string().trim().min(1).max(max).refine(isOneLine, "must be one line of text");
}

/** `PATCH /auth/me`; null removes the name. */
export const ProfileChange = z
  .object({
    display_name: oneLine(DISPLAY_NAME_CHARACTERS_MAX)
      .nullable()
      .describe("The name to show: one line of 1 to 100 characters, or null."),
  })
  .openapi("ProfileChange", { description: "What a user may change at once." });
export type ProfileChange = z.output<typeof ProfileChange>;

const ConnectionKind = z.enum(["oidc", "oauth", "api_key"]);

/** One connection of the account; `hint` masks a stored API key. */
export const Connection = z
  .object({
    provider: z.string().describe("The slug of the provider."),
    kind: ConnectionKind.describe("What kind of provider it is."),
    connected_at: z.string().describe("When it was connected, ISO-8601 in UTC."),
    hint: z.string().optional().describe("The last characters of the stored API key, masked."),
  })
  .openapi("Connection", { description: "One connection of the account." });
export type Connection = z.infer<typeof Connection>;

/** `GET /auth/me`. */
export const Me = AccountUser.extend({
  has_password: z.boolean().describe("Whether the account has a password."),
  connections: z.array(Connection).describe("The connections of the account."),
}).openapi("Me", { description: "The current user." });
export type Me = z.infer<typeof Me>;

/** `GET /auth/providers`: all API-key providers, and the configured login providers. */
export const ProviderList = z
  .object({
    providers: z
      .array(
        z.object({
          slug: z.string().describe("The slug of the provider."),
          kind: ConnectionKind.describe("What kind of provider it is."),
          label: z.string().describe("The name of the provider for people."),
          can_sign_in: z.boolean().describe("Whether a user can sign in with it."),
          connected: z.boolean().describe("Whether the current user is connected with it."),
          hint: z
            .string()
            .optional()
            .describe("The last characters of the stored API key, masked."),
        }),
      )
      .describe("The providers of API keys, and the configured providers of sign-ins."),
  })
  .openapi("ProviderList", { description: "The providers, connected or not." });
export type ProviderList = z.infer<typeof ProviderList>;
