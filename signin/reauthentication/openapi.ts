import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `reauthentication/`. */
export const reauthenticationTexts: SliceTexts = {
  tag: "account",
  about: "The user's own account.",
  operations: {
    "POST /auth/reauthenticate/code": {
      id: "sendReauthenticationCode",
      summary: "Mail a code to prove the account with",
      about: "To the address of the user's own account.",
    },
    "POST /auth/reauthenticate": {
      id: "reauthenticateSession",
      summary: "Prove the account afresh",
      about:
        "With the password, with a code of `POST /auth/reauthenticate/code`, or with a passkey that answers `POST /auth/passkey/options`. The proof holds for this session alone, for five minutes. A sign-in is one, too. Changes that need one answer 403 `reauthentication_required` without it; `ways` lists what the account has.",
    },
  },
  schemas: {
    Reauthentication: {
      about: "What proves the account: exactly one of the three.",
      fields: {
        password: "The password. A wrong one is 400 `invalid_password`.",
        code: "The mailed code: 8 digits.",
        credential:
          "`AuthenticationResponseJSON` of WebAuthn. One of another account is 400 `invalid_passkey`.",
      },
    },
  },
};
