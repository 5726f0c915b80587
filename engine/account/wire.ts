import { z } from "@hono/zod-openapi";
import { accountFields } from "../../shared/http/wire.ts";
import { field, object } from "../http/fields.ts";

// Account objects use snake_case, and their input strings are trimmed, passwords and codes too (Engine §2).

const nonblank = z.string().trim().min(1);

export const AccountUser = object({
  id: field.text("The id of the user at the account server."),
  ...accountFields,
}).openapi("AccountUser", { description: "The user of the account at the account server." });
export type AccountUser = z.infer<typeof AccountUser>;

export const AccountSession = object({
  authenticated: field.flag("Whether a user is signed in."),
  user: z.union([AccountUser, z.null()]).describe("The user; null where none is signed in."),
  notice: z
    .string()
    .optional()
    .describe("A sentence to show to the user, such as why the session ended."),
}).openapi("AccountSession", { description: "The session at the account server." });
export type AccountSession = z.infer<typeof AccountSession>;

export const AccountLogin = object({
  email: nonblank.describe("The e-mail address; trimmed."),
  password: nonblank.describe("The password; trimmed."),
  second_factor: nonblank
    .optional()
    .describe(
      "The code of the authenticator app, or a recovery code, if the account has a second factor; trimmed.",
    ),
}).openapi("AccountLogin", { description: "An e-mail address with its password." });
export type AccountLogin = z.infer<typeof AccountLogin>;

export const SignupCodeRequest = object({
  email: nonblank.describe("The e-mail address; trimmed."),
}).openapi("SignupCodeRequest", { description: "The recipient of a sign-up code." });
export type SignupCodeRequest = z.infer<typeof SignupCodeRequest>;

export const SignupCompleteRequest = object({
  email: nonblank.describe("The e-mail address that got the code; trimmed."),
  code: nonblank.describe("The mailed code; trimmed."),
  password: nonblank.describe("The password of the new account; trimmed."),
  display_name: z
    .string()
    .trim()
    .optional()
    .describe("The name to show; trimmed, and left out where there is none."),
}).openapi("SignupCompleteRequest", { description: "A mailed sign-up code, and the new account." });
export type SignupCompleteRequest = z.infer<typeof SignupCompleteRequest>;

export const SignupNotice = object({
  notice: field.text("A sentence to show to the user."),
}).openapi("SignupNotice", { description: "The response to a request for a sign-up code." });

/** A session that another program of the user signed in; used by `engine login`. */
export const AdoptSession = object({
  refresh_token: nonblank.describe("Its refresh token; the engine rotates it at once."),
}).openapi("AdoptSession", { description: "A session to take over." });

export const LOGGED_OUT: AccountSession = { authenticated: false, user: null };

/** `GET /account/server`. */
export const AccountServer = object({
  url: field.nullableText("Its address; null where none is configured (`ENGINE_ACCOUNT_URL`)."),
}).openapi("AccountServer", { description: "Which account server the engine uses." });
