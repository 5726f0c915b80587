import { z } from "@hono/zod-openapi";
import { type Bytes, fromBase64Url } from "../../shared/bytes.ts";
import { oneLine } from "../accounts/wire.ts";
import type { PasskeyRow } from "../db/schema.ts";
import { toTime, toTimeOrNull } from "../db/time.ts";
import {
  PASSKEY_LABEL_CHARACTERS_MAX,
  TRANSPORT_CHARACTERS_MAX,
  TRANSPORTS_MAX,
} from "../limits.ts";

/** Bytes as browsers write them in JSON, parsed once. */
const Base64Url = z
  .string()
  .transform((text, context): Bytes => {
    const bytes = fromBase64Url(text);
    if (bytes) return bytes;
    context.addIssue({ code: "custom", message: "must be base64url" });
    return z.NEVER;
  })
  .openapi({ type: "string" });

const Label = oneLine(PASSKEY_LABEL_CHARACTERS_MAX).describe(
  "A name of the user's choice: one line of 1 to 100 characters.",
);

const Transports = z.array(z.string().max(TRANSPORT_CHARACTERS_MAX)).max(TRANSPORTS_MAX);

const ClientData = Base64Url.describe(
  "What the browser says of the request, which the authenticator signed.",
);

const CREDENTIAL = {
  id: z.string().describe("The id of the credential, in base64url."),
  rawId: Base64Url.describe("The same as `id`."),
  type: z.string().describe("`public-key`."),
};

/** `RegistrationResponseJSON` of WebAuthn: what this server reads of it. */
const RegistrationResponse = z
  .object({
    ...CREDENTIAL,
    response: z
      .object({
        clientDataJSON: ClientData,
        attestationObject: Base64Url.describe("The new credential."),
        transports: Transports.nullish().describe("How the browser reaches the authenticator."),
      })
      .describe("What the authenticator answered. Binary fields are base64url."),
  })
  .openapi("RegistrationResponse", {
    description: "`RegistrationResponseJSON` of WebAuthn. Further fields are ignored.",
  });
export type RegistrationResponse = z.output<typeof RegistrationResponse>;

/** `AuthenticationResponseJSON` of WebAuthn: what this server reads of it. */
export const AuthenticationResponse = z
  .object({
    ...CREDENTIAL,
    response: z
      .object({
        clientDataJSON: ClientData,
        authenticatorData: Base64Url.describe("What the authenticator says of itself."),
        signature: Base64Url.describe("The signature of both."),
        userHandle: Base64Url.nullish().describe(
          "The account of the passkey. A response without it is refused.",
        ),
      })
      .describe("What the authenticator answered. Binary fields are base64url."),
  })
  .openapi("AuthenticationResponse", {
    description: "`AuthenticationResponseJSON` of WebAuthn. Further fields are ignored.",
  });
export type AuthenticationResponse = z.output<typeof AuthenticationResponse>;

/** `POST /auth/passkeys`. */
export const AddPasskey = z
  .object({
    credential: z
      .lazy(() => RegistrationResponse)
      .describe("What `navigator.credentials.create()` answered, as `toJSON()` writes it."),
    label: Label.nullish().describe(
      "A name of the user's choice: one line of 1 to 100 characters. By default `Passkey`.",
    ),
  })
  .openapi("AddPasskey", { description: "A passkey to add." });
export type AddPasskey = z.output<typeof AddPasskey>;

/** `PATCH /auth/passkeys/{id}`. */
export const RenamePasskey = z
  .object({ label: Label })
  .openapi("RenamePasskey", { description: "A new name." });

/** `POST /auth/passkey/options`: what it holds changes nothing, so that the answer says nothing about an address. */
export const PasskeySignInRequest = z
  .object({
    email: z.string().optional().describe("Ignored: the answer is the same for every address."),
  })
  .openapi("PasskeySignInRequest", { description: "Nothing that is needed." });

/** `POST /auth/passkey`. */
export const PasskeySignIn = z
  .object({
    credential: z
      .lazy(() => AuthenticationResponse)
      .describe("What `navigator.credentials.get()` answered, as `toJSON()` writes it."),
    native: z
      .boolean()
      .optional()
      .describe(
        "`true` answers both tokens and sets no cookie; by default the refresh token is in the cookie.",
      ),
  })
  .openapi("PasskeySignIn", { description: "A passkey's answer to the challenge." });
export type PasskeySignIn = z.output<typeof PasskeySignIn>;

/** A passkey of the user. */
export const Passkey = z
  .object({
    id: z.string().describe("The id of the passkey here; not that of the credential."),
    label: z.string().describe("A name of the user's choice: one line of 1 to 100 characters."),
    created_at: z.string().describe("When it was added, ISO-8601 in UTC."),
    last_used_at: z
      .string()
      .nullable()
      .describe("When it last signed in, ISO-8601 in UTC; null before the first time."),
    backed_up: z
      .boolean()
      .describe("Whether the authenticator has a copy elsewhere, as synchronized passkeys have."),
  })
  .openapi("Passkey", { description: "A passkey of the user." });
export type Passkey = z.infer<typeof Passkey>;

/** `GET /auth/passkeys`. */
export const PasskeyList = z
  .object({ passkeys: z.array(Passkey).describe("At most 20, oldest first.") })
  .openapi("PasskeyList", { description: "The user's passkeys." });

export const PasskeyId = z.object({ id: z.string().describe("The id of the passkey.") });

const CredentialDescriptor = z
  .object({
    type: z.literal("public-key").describe("`public-key`."),
    id: z.string().describe("The id of the credential, in base64url."),
    transports: z.array(z.string()).describe("How a browser reaches the authenticator."),
  })
  .openapi("CredentialDescriptor", { description: "A credential that exists already." });

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export const CreationOptions = z
  .object({
    rp: z
      .object({
        id: z.string().describe("The domain that the passkey will belong to."),
        name: z.string().describe("Its name for people."),
      })
      .describe("The relying party."),
    user: z
      .object({
        id: z.string().describe("Its handle, in base64url."),
        name: z.string().describe("Its e-mail address."),
        displayName: z.string().describe("Its name, or its e-mail address."),
      })
      .describe("The account."),
    challenge: z.string().describe("32 random bytes, in base64url."),
    pubKeyCredParams: z
      .array(
        z.object({
          type: z.literal("public-key").describe("`public-key`."),
          alg: z.int().describe("EdDSA (-8), ES256 (-7) or RS256 (-257)."),
        }),
      )
      .describe("The algorithms, the preferred one first."),
    timeout: z.int().describe("For how long the challenge is valid, in milliseconds."),
    excludeCredentials: z
      .array(CredentialDescriptor)
      .describe("The passkeys of the account: their authenticators make no other."),
    authenticatorSelection: z
      .object({
        residentKey: z.literal("required").describe("It keeps the passkey itself."),
        requireResidentKey: z.literal(true).describe("The same, for older browsers."),
        userVerification: z
          .literal("required")
          .describe("It verifies its user, as by PIN or fingerprint."),
      })
      .describe("What the authenticator must be able to do."),
    attestation: z.literal("none").describe("No proof of its maker is wanted."),
  })
  .openapi("CreationOptions", {
    description: "`PublicKeyCredentialCreationOptionsJSON` of WebAuthn.",
  });
export type CreationOptions = z.infer<typeof CreationOptions>;

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
export const RequestOptions = z
  .object({
    challenge: z.string().describe("32 random bytes, in base64url."),
    rpId: z.string().describe("The domain whose passkeys can sign in."),
    timeout: z.int().describe("For how long the challenge is valid, in milliseconds."),
    userVerification: z
      .literal("required")
      .describe("The authenticator verifies its user, as by PIN or fingerprint."),
  })
  .openapi("RequestOptions", {
    description: "`PublicKeyCredentialRequestOptionsJSON` of WebAuthn.",
  });
export type RequestOptions = z.infer<typeof RequestOptions>;

export function toPasskey(
  row: Pick<PasskeyRow, "id" | "label" | "createdAt" | "lastUsedAt" | "backedUp">,
): Passkey {
  const { id, label, createdAt, lastUsedAt, backedUp } = row;
  return {
    id,
    label,
    created_at: toTime(createdAt),
    last_used_at: toTimeOrNull(lastUsedAt),
    backed_up: backedUp,
  };
}
