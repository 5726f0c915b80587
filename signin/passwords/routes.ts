import { body, errors, noContent, ok } from "../../shared/http/responses.ts";
import { post, type Route } from "../../shared/http/route.ts";
import { invalidRequest } from "../errors.ts";
import { clearedPendingCookie, readPendingCookie, refreshCookie } from "../http/cookies.ts";
import { bearerRoute, userOf } from "../http/current-user.ts";
import { requireAllowedOrigin } from "../http/origins.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { AccessResponse, TokenResponse } from "../tokens/wire.ts";
import { changePassword } from "./change-password.ts";
import { completeCodeLogin } from "./code-login.ts";
import { completeIdentitySignup } from "./identity-sign-up.ts";
import { logIn } from "./login.ts";
import { completeReset } from "./reset.ts";
import { requestCode, requestOwnCode } from "./send-code.ts";
import { completeSignup } from "./sign-up.ts";
import {
  CodeLogin,
  CodeRequest,
  NEW_ADDRESS_NOTICE,
  Notice,
  OWN_CODE_NOTICE,
  PasswordChange,
  PasswordLogin,
  ResetComplete,
  SignupComplete,
} from "./wire.ts";

const ACCOUNT_NOTICE = "If this address has an account, we have sent a code to it.";

/** E-mail, and password or mailed code: sign in, sign up, reset. */
export function passwordRoutes() {
  return createRouter("passwords", [...loginRoutes(), ...changeRoutes()]);
}

function loginRoutes(): Route[] {
  return [
    post("/auth/login", {
      operationId: "loginPassword",
      summary: "Sign in with e-mail address and password",
      description: "The response has the tokens; no cookie is set.",
      security: [],
      request: body(PasswordLogin),
      responses: { ...ok(TokenResponse), ...errors(400, 401, 429) },
      handler: async (c) => c.json(await logIn(scopeOf(c), c.req.valid("json")), 200),
    }),
    post("/auth/login/code", {
      operationId: "sendLoginCode",
      summary: "Mail a code to sign in with",
      description:
        "The answer is the same whether the address has an account or not. No account is made.",
      security: [],
      request: body(CodeRequest),
      responses: { ...ok(Notice), ...errors(400, 503) },
      handler: async (c) => {
        await requestCode(scopeOf(c), { purpose: "login", ...c.req.valid("json") });
        return c.json({ notice: ACCOUNT_NOTICE }, 200);
      },
    }),
    post("/auth/login/code/complete", {
      operationId: "completeCodeLogin",
      summary: "Sign in with the mailed code",
      description: "The response has the tokens; no cookie is set. The code is valid once.",
      security: [],
      request: body(CodeLogin),
      responses: { ...ok(TokenResponse), ...errors(400, 429) },
      handler: async (c) => c.json(await completeCodeLogin(scopeOf(c), c.req.valid("json")), 200),
    }),
    post("/auth/signup/code", {
      operationId: "sendSignupCode",
      summary: "Mail a sign-up code",
      description: "The answer is the same whether the address has an account or not.",
      security: [],
      request: body(CodeRequest),
      responses: { ...ok(Notice), ...errors(400, 503) },
      handler: async (c) => {
        await requestCode(scopeOf(c), { purpose: "signup", ...c.req.valid("json") });
        return c.json({ notice: NEW_ADDRESS_NOTICE }, 200);
      },
    }),
    post("/auth/signup/complete", {
      operationId: "completeSignup",
      summary: "Create an account with the mailed code",
      description:
        "Begins a session. The code is valid for the address that got it. Without `password`, the account gets the identity that waits in the cookie of this browser, and the refresh token goes into the cookie.",
      security: [],
      request: body(SignupComplete),
      responses: {
        ...ok(
          TokenResponse.or(AccessResponse),
          "Success; without `password`, the refresh token is in the cookie alone",
        ),
        ...errors(400, 403, 409, 429),
      },
      handler: async (c) => {
        const scope = scopeOf(c);
        const { config } = scope;
        const { password, ...input } = c.req.valid("json");
        if (password !== undefined) {
          return c.json(await completeSignup(scope, { ...input, password }), 200);
        }
        const { headers } = c.req.raw;
        if (readPendingCookie(config, headers) === undefined) {
          throw invalidRequest("password: is required");
        }
        requireAllowedOrigin(config, headers);
        const answer = await completeIdentitySignup(scope, input, headers);
        const { refresh_token, refresh_expires_in, ...rest } = answer;
        c.header("Set-Cookie", refreshCookie(config, refresh_token, refresh_expires_in));
        c.header("Set-Cookie", clearedPendingCookie(config), { append: true });
        return c.json(rest, 200);
      },
    }),
  ];
}

function changeRoutes(): Route[] {
  return [
    post("/auth/password/code", {
      operationId: "sendPasswordCode",
      summary: "Mail a code to change the password with",
      description:
        "To the address of the user's own account. An account without a password gets one with it.",
      ...bearerRoute,
      responses: { ...ok(Notice), ...errors(401, 503) },
      handler: async (c) => {
        await requestOwnCode(scopeOf(c), { purpose: "password", userId: userOf(c).userId });
        return c.json({ notice: OWN_CODE_NOTICE }, 200);
      },
    }),
    post("/auth/password", {
      operationId: "changePassword",
      summary: "Change the password",
      description:
        "With the old password, or with a code of `POST /auth/password/code` and a fresh proof. All other sessions of the account end.",
      ...bearerRoute,
      request: body(PasswordChange),
      responses: { ...noContent, ...errors(400, 401, 403, 429) },
      handler: async (c) => {
        await changePassword(scopeOf(c), userOf(c), c.req.valid("json"));
        return c.body(null, 204);
      },
    }),
    post("/auth/password/reset/code", {
      operationId: "sendPasswordResetCode",
      summary: "Mail a code to set a new password",
      description: "The answer is the same whether the address has an account or not.",
      security: [],
      request: body(CodeRequest),
      responses: { ...ok(Notice), ...errors(400, 503) },
      handler: async (c) => {
        await requestCode(scopeOf(c), { purpose: "reset", ...c.req.valid("json") });
        return c.json({ notice: ACCOUNT_NOTICE }, 200);
      },
    }),
    post("/auth/password/reset/complete", {
      operationId: "completePasswordReset",
      summary: "Set a new password with the mailed code",
      description: "Ends all sessions of the account and begins one.",
      security: [],
      request: body(ResetComplete),
      responses: { ...ok(TokenResponse), ...errors(400, 429) },
      handler: async (c) => c.json(await completeReset(scopeOf(c), c.req.valid("json")), 200),
    }),
  ];
}
