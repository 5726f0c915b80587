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
  .object({ display_name: oneLine(DISPLAY_NAME_CHARACTERS_MAX).nullable() })
  .openapi("ProfileChange");
export type ProfileChange = z.output<typeof ProfileChange>;

const ConnectionKind = z.enum(["oidc", "oauth", "api_key"]);

/** One connection of the account; `hint` masks a stored API key. */
export const Connection = z
  .object({
    provider: z.string(),
    kind: ConnectionKind,
    connected_at: z.string(),
    hint: z.string().optional(),
  })
  .openapi("Connection");
export type Connection = z.infer<typeof Connection>;

/** `GET /auth/me`. */
export const Me = AccountUser.extend({
  has_password: z.boolean(),
  connections: z.array(Connection),
}).openapi("Me");
export type Me = z.infer<typeof Me>;

/** `GET /auth/providers`: all API-key providers, and the configured login providers. */
export const ProviderList = z
  .object({
    providers: z.array(
      z.object({
        slug: z.string(),
        kind: ConnectionKind,
        can_sign_in: z.boolean(),
        connected: z.boolean(),
        hint: z.string().optional(),
      }),
    ),
  })
  .openapi("ProviderList");
export type ProviderList = z.infer<typeof ProviderList>;
