import { z } from "@hono/zod-openapi";
import { SigninEvent } from "../audit/wire.ts";
import { Code, Email, Password } from "../passwords/wire.ts";
import { AccountUser } from "../tokens/wire.ts";

/** `POST /auth/email/complete`. */
export const EmailChange = z.object({ email: Email, code: Code }).openapi("EmailChange");
export type EmailChange = z.output<typeof EmailChange>;

/** `DELETE /auth/me`: nothing, where the session has a fresh proof. */
export const AccountDeletion = z
  .object({ password: Password.optional(), code: Code.optional() })
  .openapi("AccountDeletion");
export type AccountDeletion = z.output<typeof AccountDeletion>;

const Time = z.string().nullable();

/** `GET /auth/me/export`: everything that is stored about a person, and no secret. */
export const AccountExport = z
  .object({
    exported_at: z.string(),
    profile: AccountUser.omit({ connected_providers: true }).extend({
      has_password: z.boolean(),
      created_at: z.string(),
      updated_at: z.string(),
    }),
    identities: z.array(
      z.object({
        provider: z.string(),
        issuer: z.string().nullable(),
        subject: z.string(),
        email: z.string().nullable(),
        linked_at: z.string(),
        confirmed: z.boolean(),
      }),
    ),
    passkeys: z.array(
      z.object({
        id: z.string(),
        label: z.string(),
        rp_id: z.string(),
        credential_id: z.string(),
        public_key: z.string(),
        backed_up: z.boolean(),
        transports: z.array(z.string()),
        created_at: z.string(),
        last_used_at: Time,
      }),
    ),
    api_keys: z.array(
      z.object({ provider: z.string(), hint: z.string(), connected_at: z.string() }),
    ),
    sessions: z.array(
      z.object({
        id: z.string(),
        kind: z.string(),
        provider: z.string().nullable(),
        passkey_id: z.string().nullable(),
        label: z.string().nullable(),
        network: z.string().nullable(),
        user_agent: z.string().nullable(),
        created_at: z.string(),
        proven_at: Time,
        last_seen_at: z.string(),
        expires_at: z.string(),
        ended_at: Time,
        end_reason: z.string().nullable(),
      }),
    ),
    events: z.array(SigninEvent),
    events_stored: z.int(),
  })
  .openapi("AccountExport");
export type AccountExport = z.infer<typeof AccountExport>;
