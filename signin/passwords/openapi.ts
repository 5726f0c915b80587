import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `passwords/`. */
export const passwordTexts: SliceTexts = {
  tag: "passwords",
  about: "E-mail address and password: sign in, sign up, set a new password.",
  operations: {
    "POST /auth/login": {
      id: "loginPassword",
      summary: "Sign in with e-mail address and password",
      about: "The response has the tokens; no cookie is set.",
    },
    "POST /auth/login/code": {
      id: "sendLoginCode",
      summary: "Mail a code to sign in with",
      about:
        "The answer is the same whether the address has an account or not. No account is made.",
    },
    "POST /auth/login/code/complete": {
      id: "completeCodeLogin",
      summary: "Sign in with the mailed code",
      about: "The response has the tokens; no cookie is set. The code is valid once.",
    },
    "POST /auth/signup/code": {
      id: "sendSignupCode",
      summary: "Mail a sign-up code",
      about: "The answer is the same whether the address has an account or not.",
    },
    "POST /auth/signup/complete": {
      id: "completeSignup",
      summary: "Create an account with the mailed code",
      about: "Begins a session. The code is valid for the address that got it.",
    },
    "POST /auth/password/code": {
      id: "sendPasswordCode",
      summary: "Mail a code to change the password with",
      about:
        "To the address of the user's own account. An account without a password gets one with it.",
    },
    "POST /auth/password": {
      id: "changePassword",
      summary: "Change the password",
      about:
        "With the old password, or with a code of `POST /auth/password/code` and a fresh proof. All other sessions of the account end.",
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
  schemas: {
    PasswordLogin: {
      about: "An e-mail address with its password.",
      fields: {
        email: "The e-mail address; trimmed, compared without case.",
        password: "The password; it is never trimmed.",
      },
    },
    CodeRequest: {
      about: "The recipient of a code.",
      fields: {
        email: "The e-mail address; trimmed, compared without case.",
      },
    },
    Notice: {
      about: "The response to a request for a code.",
      fields: {
        notice: "A sentence to show to the user.",
      },
    },
    SignupComplete: {
      about: "A mailed sign-up code, and the new account.",
      fields: {
        email: "The e-mail address; trimmed, compared without case.",
        code: "The mailed code: 8 digits, or 26 letters and digits; blanks, hyphens and case do not matter.",
        password:
          "The new password: 10 to 256 characters, and none of the common ones. It is never trimmed.",
        display_name:
          "The name to show, one line of at most 100 characters; null or left out where there is none.",
      },
    },
    CodeLogin: {
      about: "A mailed code, with its address.",
      fields: {
        email: "The e-mail address; trimmed, compared without case.",
        code: "The mailed code: 8 digits, or 26 letters and digits; blanks, hyphens and case do not matter.",
      },
    },
    PasswordChange: {
      about: "A new password, and what proves that its owner wants it: one of the two.",
      fields: {
        current_password: "The present password. A wrong one is 400 `invalid_password`.",
        code: "The mailed code: 8 digits, or 26 letters and digits; blanks, hyphens and case do not matter.",
        new_password:
          "The new password: 10 to 256 characters, and none of the common ones. It is never trimmed.",
      },
    },
    ResetComplete: {
      about: "A mailed code, and the new password.",
      fields: {
        email: "The e-mail address; trimmed, compared without case.",
        code: "The mailed code: 8 digits, or 26 letters and digits; blanks, hyphens and case do not matter.",
        password:
          "The new password: 10 to 256 characters, and none of the common ones. It is never trimmed.",
      },
    },
  },
};
