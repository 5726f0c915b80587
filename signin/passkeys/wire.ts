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

const Label = oneLine(PASSKEY_LABEL_CHARACTERS_MAX);

const Transports = z.array(z.string().max(TRANSPORT_CHARACTERS_MAX)).max(TRANSPORTS_MAX);

const CREDENTIAL = { id: z.string(), rawId: Base64Url, type: z.string() };

/** `RegistrationResponseJSON` of WebAuthn: what this server reads of it. */
const RegistrationResponse = z
  .object({
    ...CREDENTIAL,
    response: z.object({
      clientDataJSON: Base64Url,
      attestationObject: Base64Url,
      transports: Transports.nullish(),
    }),
  })
  .openapi("RegistrationResponse");
export type RegistrationResponse = z.output<typeof RegistrationResponse>;

/** `AuthenticationResponseJSON` of WebAuthn: what this server reads of it. */
export const AuthenticationResponse = z
  .object({
    ...CREDENTIAL,
    response: z.object({
      clientDataJSON: Base64Url,
      authenticatorData: Base64Url,
      signature: Base64Url,
      userHandle: Base64Url.nullish(),
    }),
  })
  .openapi("AuthenticationResponse");
export type AuthenticationResponse = z.output<typeof AuthenticationResponse>;

/** `POST /auth/passkeys`. */
export const AddPasskey = z
  .object({ credential: RegistrationResponse, label: Label.nullish() })
  .openapi("AddPasskey");
export type AddPasskey = z.output<typeof AddPasskey>;

/** `PATCH /auth/passkeys/{id}`. */
export const RenamePasskey = z.object({ label: Label }).openapi("RenamePasskey");

/** `POST /auth/passkey/options`: what it holds changes nothing, so that the answer says nothing about an address. */
export const PasskeySignInRequest = z
  .object({ email: z.string().optional() })
  .openapi("PasskeySignInRequest");

/** `POST /auth/passkey`. */
export const PasskeySignIn = z
  .object({ credential: AuthenticationResponse, native: z.boolean().optional() })
  .openapi("PasskeySignIn");
export type PasskeySignIn = z.output<typeof PasskeySignIn>;

/** A passkey of the user. */
export const Passkey = z
  .object({
    id: z.string(),
    label: z.string(),
    created_at: z.string(),
    last_used_at: z.string().nullable(),
    backed_up: z.boolean(),
  })
  .openapi("Passkey");
export type Passkey = z.infer<typeof Passkey>;

/** `GET /auth/passkeys`. */
export const PasskeyList = z.object({ passkeys: z.array(Passkey) }).openapi("PasskeyList");

export const PasskeyId = z.object({ id: z.string() });

const CredentialDescriptor = z
  .object({ type: z.literal("public-key"), id: z.string(), transports: z.array(z.string()) })
  .openapi("CredentialDescriptor");

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export const CreationOptions = z
  .object({
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    challenge: z.string(),
    pubKeyCredParams: z.array(z.object({ type: z.literal("public-key"), alg: z.int() })),
    timeout: z.int(),
    excludeCredentials: z.array(CredentialDescriptor),
    authenticatorSelection: z.object({
      residentKey: z.literal("required"),
      requireResidentKey: z.literal(true),
      userVerification: z.literal("required"),
    }),
    attestation: z.literal("none"),
  })
  .openapi("CreationOptions");
export type CreationOptions = z.infer<typeof CreationOptions>;

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
export const RequestOptions = z
  .object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.int(),
    userVerification: z.literal("required"),
  })
  .openapi("RequestOptions");
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
