import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

const EMAIL = "The new e-mail address; trimmed, compared without case.";
const CODE =
  "The mailed code: 8 digits, or 26 letters and digits; blanks, hyphens and case do not matter.";
const TIME = "ISO-8601 in UTC.";

/** What the OpenAPI document says of `own-account/`. */
export const ownAccountTexts: SliceTexts = {
  tag: "account",
  about: "The user's own account.",
  operations: {
    "POST /auth/email/code": {
      id: "sendEmailCode",
      summary: "Mail a code to a new address of the account",
      about:
        "Needs a fresh proof. The present address gets a notice. The answer is the same for an address of another account.",
    },
    "POST /auth/email/complete": {
      id: "changeEmail",
      summary: "Change the address with the mailed code",
      about: "Needs a fresh proof. Both addresses get a mail.",
    },
    "POST /auth/me/delete/code": {
      id: "sendDeleteCode",
      summary: "Mail a code to delete the account with",
      about: "To the address of the user's own account.",
    },
    "DELETE /auth/me": {
      id: "deleteMe",
      summary: "Delete the account",
      about:
        "With the password, with a code of `POST /auth/me/delete/code`, or with neither where the session has a fresh proof; else 403 `reauthentication_required`. The audit trail stays under the id alone.",
    },
    "GET /auth/me/export": {
      id: "exportMe",
      summary: "Export everything that is stored about the user",
      about:
        "No secret: of a password only whether there is one, of an API key its hint. 5 an hour.",
    },
  },
  schemas: {
    EmailChange: {
      about: "A new address, and the code that was mailed there.",
      fields: { email: EMAIL, code: CODE },
    },
    AccountDeletion: {
      about: "What proves that the owner wants it; at most one of the two.",
      fields: {
        password: "The password. A wrong one is 400 `invalid_password`.",
        code: CODE,
      },
    },
    AccountExport: {
      about: "Everything that is stored about a user.",
      fields: {
        exported_at: TIME,
        profile: "The account.",
        "profile.id": "The id of the account.",
        "profile.email": "Its e-mail address.",
        "profile.display_name": "The name to show.",
        "profile.avatar_url": "The image that the provider gave.",
        "profile.has_password": "Whether the account has a password.",
        "profile.created_at": TIME,
        "profile.updated_at": TIME,
        identities: "The connected providers of sign-ins.",
        "identities.provider": "The slug of the provider.",
        "identities.issuer": "Whose subject it is.",
        "identities.subject": "The user at the provider.",
        "identities.email": "The verified address that the provider reported.",
        "identities.linked_at": TIME,
        "identities.confirmed": "Whether a sign-in with it is a fresh proof.",
        passkeys: "The public parts of passkeys.",
        "passkeys.id": "The id of the passkey here.",
        "passkeys.label": "Its name.",
        "passkeys.rp_id": "The domain that it belongs to.",
        "passkeys.credential_id": "The id of the credential, in base64url.",
        "passkeys.public_key": "Its COSE key, in base64url.",
        "passkeys.backed_up": "Whether the authenticator has a copy elsewhere.",
        "passkeys.transports": "How a browser reaches the authenticator.",
        "passkeys.created_at": TIME,
        "passkeys.last_used_at": TIME,
        api_keys: "The connected API keys.",
        "api_keys.provider": "The provider of the key.",
        "api_keys.hint": "The last characters of the key, masked.",
        "api_keys.connected_at": TIME,
        sessions: "The sessions, with those that ended within a day.",
        "sessions.id": "The id of the session.",
        "sessions.kind": "The kind of sign-in that began it.",
        "sessions.provider": "The provider whose identity began it.",
        "sessions.passkey_id": "The passkey that began it.",
        "sessions.label": "Its name, where it has one.",
        "sessions.network": "The network that it began in, shortened.",
        "sessions.user_agent": "The `User-Agent` that it began with.",
        "sessions.created_at": TIME,
        "sessions.proven_at": "When it last proved the account, ISO-8601 in UTC.",
        "sessions.last_seen_at": TIME,
        "sessions.expires_at": TIME,
        "sessions.ended_at": TIME,
        "sessions.end_reason": "Why it ended early.",
        events: "The audit trail, newest first: at most 10,000 events.",
        events_stored: "How many events there are in all.",
      },
    },
  },
};
