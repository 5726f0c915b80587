import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `account/`. */
export const accountTexts: SliceTexts = {
  tag: "account",
  about: "The user's account at the sign-in server, whose session the engine keeps.",
  operations: {
    "GET /account/session": {
      id: "getAccountSession",
      summary: "Get who is signed in",
      about: "A saved session that the sign-in server rejects is logged out.",
    },
    "GET /account/server": {
      id: "getAccountServer",
      summary: "Get the address of the sign-in server",
    },
    "POST /account/login": {
      id: "loginAccount",
      summary: "Sign in with e-mail address and password",
    },
    "POST /account/signup/code": {
      id: "sendAccountSignupCode",
      summary: "Have a sign-up code mailed",
    },
    "POST /account/signup/complete": {
      id: "completeAccountSignup",
      summary: "Create an account with the mailed code, and sign in",
    },
    "POST /account/adopt": {
      id: "adoptAccountSession",
      summary: "Take over a session that `engine login` began",
    },
    "POST /account/logout": {
      id: "logoutAccount",
      summary: "Sign out",
      about: "The saved session is removed, whatever the sign-in server answers.",
      ignoresBody: true,
    },
  },
};
