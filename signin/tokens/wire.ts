import { z } from "@hono/zod-openapi";
import { accountFields } from "../../shared/http/wire.ts";

/** The user in token answers. The engine's `AccountUser` maps to it field by field. */
export const AccountUser = z
  .object({ id: z.string().describe("The id of the user."), ...accountFields })
  .openapi("AccountUser", { description: "A user." });
export type AccountUser = z.infer<typeof AccountUser>;

/** The answer to a sign-in. A refresh by cookie leaves out the refresh token: it is in the cookie. */
export const TokenResponse = z
  .object({
    access_token: z.string().describe("The bearer token of requests: a JWT."),
    token_type: z.literal("Bearer").describe("Always `Bearer`."),
    expires_in: z.int().describe("For how many seconds the access token is valid."),
    refresh_token: z.string().describe("The token for `POST /auth/refresh`; each is used once."),
    refresh_expires_in: z.int().describe("For how many seconds the refresh token is valid."),
    user: z.lazy(() => AccountUser).describe("The user."),
  })
  .openapi("TokenAnswer", { description: "The tokens of a session, and its user." });
export type TokenResponse = z.infer<typeof TokenResponse>;

/** A refresh by cookie. */
export const AccessResponse = TokenResponse.omit({
  refresh_token: true,
  refresh_expires_in: true,
}).openapi("AccessAnswer", {
  description: "The access token of a refresh by cookie, and the user.",
});
export type AccessResponse = z.infer<typeof AccessResponse>;

/** `POST /auth/refresh`. Browsers send the cookie and no body. */
export const Refresh = z
  .object({
    refresh_token: z.string().optional().describe("The refresh token; left out by browsers."),
  })
  .openapi("Refresh", { description: "A refresh token, where it is not in the cookie." });

/** `POST /auth/logout`; `local` by default. */
export const Logout = z
  .object({
    scope: z
      .enum(["local", "others", "global"])
      .optional()
      .describe("`local` this session, `others` all others, `global` all; by default `local`."),
  })
  .openapi("Logout", { description: "Which sessions to end." });
