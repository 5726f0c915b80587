import { z } from "@hono/zod-openapi";

// Account objects use snake_case, and their input strings are trimmed, passwords and codes too (Engine §2).

const nonblank = z.string().trim().min(1);

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

export const AccountSession = z
  .object({
    authenticated: z.boolean(),
    user: z.union([AccountUser, z.null()]),
    notice: z.string().optional(),
  })
  .openapi("AccountSession");
export type AccountSession = z.infer<typeof AccountSession>;

export const AccountLogin = z
  .object({ email: nonblank, password: nonblank })
  .openapi("AccountLogin");
export type AccountLogin = z.infer<typeof AccountLogin>;

export const SignupCodeRequest = z.object({ email: nonblank }).openapi("SignupCodeRequest");
export type SignupCodeRequest = z.infer<typeof SignupCodeRequest>;

export const SignupCompleteRequest = z
  .object({
    email: nonblank,
    code: nonblank,
    password: nonblank,
    display_name: z.string().trim().optional(),
  })
  .openapi("SignupCompleteRequest");
export type SignupCompleteRequest = z.infer<typeof SignupCompleteRequest>;

export const SignupNotice = z.object({ notice: z.string() }).openapi("SignupNotice");

/** A session that another program of the user signed in; used by `engine login`. */
export const AdoptSession = z.object({ refresh_token: nonblank }).openapi("AdoptSession");

export const LOGGED_OUT: AccountSession = { authenticated: false, user: null };

export function toSession(user: AccountUser): AccountSession {
  return { authenticated: true, user };
}

/** `GET /account/server`. */
export const AccountServer = z.object({ url: z.string().nullable() }).openapi("AccountServer");
