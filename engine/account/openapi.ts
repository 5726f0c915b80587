import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `account/`. */
export const accountTexts: SliceTexts = {
  tag: "account",
  about: "The user's account at the account server, whose session the engine keeps.",
  operations: {
    "GET /account/session": {
      id: "getAccountSession",
      summary: "Get who is signed in",
      about: "A saved session that the account server rejects is removed.",
    },
    "GET /account/server": {
      id: "getAccountServer",
      summary: "Get the address of the account server",
      about: "The address is configuration of the engine, and null where none is set.",
    },
    "POST /account/login": {
      id: "loginAccount",
      summary: "Sign in with e-mail address and password",
      about: "The engine keeps the session, and refreshes it. The password is not stored.",
    },
    "POST /account/signup/code": {
      id: "sendAccountSignupCode",
      summary: "Request a sign-up code by mail",
      about: "The response is the same whether the address has an account or not.",
    },
    "POST /account/signup/complete": {
      id: "completeAccountSignup",
      summary: "Create an account with the mailed code, and sign in",
      about: "The engine keeps the session, as after a sign-in.",
    },
    "POST /account/adopt": {
      id: "adoptAccountSession",
      summary: "Take over a session that the command line began",
      about: "The engine rotates the refresh token at once, so that no other program can use it.",
    },
    "POST /account/logout": {
      id: "logoutAccount",
      summary: "Sign out",
      about: "The saved session is removed, even if the account server does not respond.",
      ignoresBody: true,
    },
  },
  schemas: {
    AccountUser: {
      about: "The user of the account at the account server.",
      fields: {
        id: "The id of the user at the account server.",
        email: "The verified e-mail address.",
        display_name: "The name to show; null where there is none.",
        avatar_url: "The address of a picture; null where there is none.",
        connected_providers: "The slugs of the connected providers.",
      },
    },
    AccountSession: {
      about: "The session at the account server.",
      fields: {
        authenticated: "Whether a user is signed in.",
        user: "The user; null where none is signed in.",
        notice: "A sentence to show to the user, such as why the session ended.",
      },
    },
    AccountServer: {
      about: "Which account server the engine uses.",
      fields: {
        url: "Its address; null where none is configured (`ENGINE_ACCOUNT_URL`).",
      },
    },
    AccountLogin: {
      about: "An e-mail address with its password.",
      fields: {
        email: "The e-mail address; trimmed.",
        password: "The password; trimmed.",
      },
    },
    SignupCodeRequest: {
      about: "The recipient of a sign-up code.",
      fields: {
        email: "The e-mail address; trimmed.",
      },
    },
    SignupCompleteRequest: {
      about: "A mailed sign-up code, and the new account.",
      fields: {
        email: "The e-mail address that got the code; trimmed.",
        code: "The mailed code; trimmed.",
        password: "The password of the new account; trimmed.",
        display_name: "The name to show; trimmed, and left out where there is none.",
      },
    },
    SignupNotice: {
      about: "The response to a request for a sign-up code.",
      fields: {
        notice: "A sentence to show to the user.",
      },
    },
    AdoptSession: {
      about: "A session to take over.",
      fields: {
        refresh_token: "Its refresh token; the engine rotates it at once.",
      },
    },
  },
};
