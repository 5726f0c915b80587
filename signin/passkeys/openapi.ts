import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

const CREDENTIAL = {
  id: "The id of the credential, in base64url.",
  rawId: "The same as `id`.",
  type: "`public-key`.",
  response: "What the authenticator answered. Binary fields are base64url.",
  "response.clientDataJSON":
    "What the browser says of the request, which the authenticator signed.",
};
const LABEL = "A name of the user's choice: one line of 1 to 100 characters.";

/** What the OpenAPI document says of `passkeys/`. */
export const passkeyTexts: SliceTexts = {
  tag: "passkeys",
  about: "Passkeys (WebAuthn): the user's own, and signing in with one.",
  operations: {
    "POST /auth/passkeys/options": {
      id: "createPasskeyOptions",
      summary: "Get what a browser needs to make a passkey",
      about:
        "Needs a fresh proof. For `navigator.credentials.create()`. The challenge is valid once, for this user and for five minutes.",
    },
    "POST /auth/passkeys": {
      id: "createPasskey",
      summary: "Add a passkey to the account",
      about:
        "Needs a fresh proof. An attempt spends its challenge. A passkey of any account is 409 `passkey_in_use`; an account has at most 20.",
    },
    "GET /auth/passkeys": {
      id: "listPasskeys",
      summary: "List the user's passkeys, oldest first",
      about: "Without keys and credential ids.",
    },
    "PATCH /auth/passkeys/{id}": {
      id: "updatePasskey",
      summary: "Rename a passkey",
      about: "Nothing else of a passkey can be changed.",
      parameters: { id: "The id of the passkey." },
    },
    "DELETE /auth/passkeys/{id}": {
      id: "deletePasskey",
      summary: "Remove a passkey",
      about:
        "Needs a fresh proof. The other sessions that it began end. The last way to sign in cannot be removed: 409. The authenticator keeps its part.",
      parameters: { id: "The id of the passkey." },
    },
    "POST /auth/passkey/options": {
      id: "createPasskeyLoginOptions",
      summary: "Get what a browser needs to sign in with a passkey",
      about:
        "For `navigator.credentials.get()`. It sets the cookie that binds the challenge to the browser, and names no account.",
    },
    "POST /auth/passkey": {
      id: "loginPasskey",
      summary: "Sign in with a passkey",
      about:
        "Needs the binding cookie, and without `native` an allowed origin. An attempt spends its challenge; every refusal is 401 `passkey_rejected`.",
    },
  },
  schemas: {
    RegistrationResponse: {
      about: "`RegistrationResponseJSON` of WebAuthn. Further fields are ignored.",
      fields: {
        ...CREDENTIAL,
        "response.attestationObject": "The new credential.",
        "response.transports": "How the browser reaches the authenticator.",
      },
    },
    AuthenticationResponse: {
      about: "`AuthenticationResponseJSON` of WebAuthn. Further fields are ignored.",
      fields: {
        ...CREDENTIAL,
        "response.authenticatorData": "What the authenticator says of itself.",
        "response.signature": "The signature of both.",
        "response.userHandle": "The account of the passkey. A response without it is refused.",
      },
    },
    AddPasskey: {
      about: "A passkey to add.",
      fields: {
        credential: "What `navigator.credentials.create()` answered, as `toJSON()` writes it.",
        label: `${LABEL} By default \`Passkey\`.`,
      },
    },
    RenamePasskey: { about: "A new name.", fields: { label: LABEL } },
    PasskeySignInRequest: {
      about: "Nothing that is needed.",
      fields: { email: "Ignored: the answer is the same for every address." },
    },
    PasskeySignIn: {
      about: "A passkey's answer to the challenge.",
      fields: {
        credential: "What `navigator.credentials.get()` answered, as `toJSON()` writes it.",
        native:
          "`true` answers both tokens and sets no cookie; by default the refresh token is in the cookie.",
      },
    },
    Passkey: {
      about: "A passkey of the user.",
      fields: {
        id: "The id of the passkey here; not that of the credential.",
        label: LABEL,
        created_at: "When it was added, ISO-8601 in UTC.",
        last_used_at: "When it last signed in, ISO-8601 in UTC; null before the first time.",
        backed_up: "Whether the authenticator has a copy elsewhere, as synchronized passkeys have.",
      },
    },
    PasskeyList: {
      about: "The user's passkeys.",
      fields: { passkeys: "At most 20, oldest first." },
    },
    CredentialDescriptor: {
      about: "A credential that exists already.",
      fields: {
        type: "`public-key`.",
        id: "The id of the credential, in base64url.",
        transports: "How a browser reaches the authenticator.",
      },
    },
    CreationOptions: {
      about: "`PublicKeyCredentialCreationOptionsJSON` of WebAuthn.",
      fields: {
        rp: "The relying party.",
        "rp.id": "The domain that the passkey will belong to.",
        "rp.name": "Its name for people.",
        user: "The account.",
        "user.id": "Its handle, in base64url.",
        "user.name": "Its e-mail address.",
        "user.displayName": "Its name, or its e-mail address.",
        challenge: "32 random bytes, in base64url.",
        pubKeyCredParams: "The algorithms, the preferred one first.",
        "pubKeyCredParams.type": "`public-key`.",
        "pubKeyCredParams.alg": "EdDSA (-8), ES256 (-7) or RS256 (-257).",
        timeout: "For how long the challenge is valid, in milliseconds.",
        excludeCredentials: "The passkeys of the account: their authenticators make no other.",
        authenticatorSelection: "What the authenticator must be able to do.",
        "authenticatorSelection.residentKey": "It keeps the passkey itself.",
        "authenticatorSelection.requireResidentKey": "The same, for older browsers.",
        "authenticatorSelection.userVerification":
          "It verifies its user, as by PIN or fingerprint.",
        attestation: "No proof of its maker is wanted.",
      },
    },
    RequestOptions: {
      about: "`PublicKeyCredentialRequestOptionsJSON` of WebAuthn.",
      fields: {
        challenge: "32 random bytes, in base64url.",
        rpId: "The domain whose passkeys can sign in.",
        timeout: "For how long the challenge is valid, in milliseconds.",
        userVerification: "The authenticator verifies its user, as by PIN or fingerprint.",
      },
    },
  },
};
