import { z } from "@hono/zod-openapi";
import { SigninEvent } from "../audit/wire.ts";
import { Code, Email, Password } from "../passwords/wire.ts";
import { SecondFactorState } from "../second-factor/wire.ts";

/** `POST /auth/email/complete`. */
export const EmailChange = z
  .object({
    email: Email.describe("The new e-mail address; trimmed, compared without case."),
    code: Code,
  })
  .openapi("EmailChange", { description: "A new address, and the code that was mailed there." });
export type EmailChange = z.output<typeof EmailChange>;

/** `DELETE /auth/me`: nothing, if the session has a fresh proof. */
export const AccountDeletion = z
  .object({
    password: Password.optional().describe("The password. A wrong one is 400 `invalid_password`."),
    code: Code.optional(),
  })
  .openapi("AccountDeletion", {
    description: "What proves that the owner wants it; at most one of the two.",
  });
export type AccountDeletion = z.output<typeof AccountDeletion>;

const Time = z.string().describe("ISO-8601 in UTC.");

/** `GET /auth/me/export`: everything that is stored about a person, and no secret. */
export const AccountExport = z
  .object({
    exported_at: Time,
    profile: z
      .object({
        id: z.string().describe("The id of the account."),
        email: z.string().describe("Its e-mail address."),
        display_name: z.string().nullable().describe("The name to show."),
        avatar_url: z.string().nullable().describe("The image that the provider gave."),
        has_password: z.boolean().describe("Whether the account has a password."),
        created_at: Time,
        updated_at: Time,
      })
      .describe("The account."),
    identities: z
      .array(
        z.object({
          provider: z.string().describe("The slug of the provider."),
          issuer: z.string().nullable().describe("Whose subject it is."),
          subject: z.string().describe("The user at the provider."),
          email: z.string().nullable().describe("The verified address that the provider reported."),
          linked_at: Time,
          confirmed: z.boolean().describe("Whether a sign-in with it is a fresh proof."),
        }),
      )
      .describe("The connected providers of sign-ins."),
    passkeys: z
      .array(
        z.object({
          id: z.string().describe("The id of the passkey here."),
          label: z.string().describe("Its name."),
          rp_id: z.string().describe("The domain that it belongs to."),
          credential_id: z.string().describe("The id of the credential, in base64url."),
          public_key: z.string().describe("Its COSE key, in base64url."),
          backed_up: z.boolean().describe("Whether the authenticator has a copy elsewhere."),
          transports: z.array(z.string()).describe("How a browser reaches the authenticator."),
          created_at: Time,
          last_used_at: Time.nullable(),
        }),
      )
      .describe("The public parts of passkeys."),
    second_factor: z
      .lazy(() => SecondFactorState)
      .describe("The second factor, without its secret."),
    api_keys: z
      .array(
        z.object({
          provider: z.string().describe("The provider of the key."),
          hint: z.string().describe("The last characters of the key, masked."),
          connected_at: Time,
        }),
      )
      .describe("The connected API keys."),
    sessions: z
      .array(
        z.object({
          id: z.string().describe("The id of the session."),
          kind: z.string().describe("The kind of sign-in that began it."),
          provider: z.string().nullable().describe("The provider whose identity began it."),
          passkey_id: z.string().nullable().describe("The passkey that began it."),
          label: z.string().nullable().describe("Its name, where it has one."),
          network: z.string().nullable().describe("The network that it began in, shortened."),
          user_agent: z.string().nullable().describe("The `User-Agent` that it began with."),
          created_at: Time,
          amr: z
            .string()
            .nullable()
            .describe("How it proved the account, as in the claim `amr` of its access tokens."),
          proven_at: z
            .string()
            .nullable()
            .describe("When it last proved the account, ISO-8601 in UTC."),
          last_seen_at: Time,
          expires_at: Time,
          ended_at: Time.nullable(),
          end_reason: z.string().nullable().describe("Why it ended early."),
        }),
      )
      .describe("The sessions, with those that ended within a day."),
    events: z.array(SigninEvent).describe("The audit trail, newest first: at most 10,000 events."),
    events_stored: z.int().describe("How many events there are in all."),
  })
  .openapi("AccountExport", { description: "Everything that is stored about a user." });
export type AccountExport = z.infer<typeof AccountExport>;
