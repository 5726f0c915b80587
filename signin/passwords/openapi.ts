import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `passwords/`. */
export const passwordTexts: SliceTexts = {
  tag: "passwords",
  about: "E-mail address and password: sign in, sign up, set a new password.",
  operations: {
    "POST /auth/login": {
      id: "loginPassword",
      summary: "Sign in with e-mail address and password",
      about: "Sets no cookie: the answer has the tokens.",
    },
    "POST /auth/signup/code": {
      id: "sendSignupCode",
      summary: "Mail a sign-up code",
      about: "The answer is the same whether the address has an account or not.",
    },
    "POST /auth/signup/complete": {
      id: "completeSignup",
      summary: "Create an account with the mailed code",
    },
    "POST /auth/password/reset/code": {
      id: "sendPasswordResetCode",
      summary: "Mail a code to set a new password",
      about: "The answer is the same whether the address has an account or not.",
    },
    "POST /auth/password/reset/complete": {
      id: "completePasswordReset",
      summary: "Set a new password with the mailed code",
      about: "Ends all sessions of the account and begins one.",
    },
  },
};
