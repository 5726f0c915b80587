import { z } from "@hono/zod-openapi";

/** The user in token answers. The engine's `AccountUser` maps to it field by field. */
export const AccountUser = z
  .object({
    id: z.string(),
    email: z.string(),
    display_name: z.string().nullable(),
    avatar_url: z.string().nullable(),
    connected_providers: z.array(z.string()),
  })
  .openapi("AccountUser");
export type AccountUser = z.infer<typeof AccountUser>;

/** The answer to a sign-in. A refresh by cookie leaves out the refresh token: it is in the cookie. */
export const TokenAnswer = z
  .object({
    access_token: z.string(),
    token_type: z.literal("Bearer"),
    expires_in: z.int(),
    refresh_token: z.string(),
    refresh_expires_in: z.int(),
    user: AccountUser,
  })
  .openapi("TokenAnswer");
export type TokenAnswer = z.infer<typeof TokenAnswer>;

/** A refresh by cookie. */
export const AccessAnswer = TokenAnswer.omit({
  refresh_token: true,
  refresh_expires_in: true,
}).openapi("AccessAnswer");
export type AccessAnswer = z.infer<typeof AccessAnswer>;

/** `POST /auth/refresh`. Browsers send the cookie and no body. */
export const Refresh = z.object({ refresh_token: z.string().optional() }).openapi("Refresh");

/** `POST /auth/logout`; `local` by default. */
export const Logout = z
  .object({ scope: z.enum(["local", "others", "global"]).optional() })
  .openapi("Logout");
