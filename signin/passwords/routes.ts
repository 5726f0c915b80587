import { createRoute } from "@hono/zod-openapi";
import { body, errors, noContent, ok } from "../../shared/http/responses.ts";
import { bearerRoute, userOf } from "../http/current-user.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { TokenAnswer } from "../tokens/wire.ts";
import { changePassword } from "./change-password.ts";
import { completeCodeLogin } from "./code-login.ts";
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

const postLogin = createRoute({
  method: "post",
  path: "/auth/login",
  security: [],
  request: body(PasswordLogin),
  responses: { ...ok(TokenAnswer), ...errors(400, 401, 429) },
});

const postLoginCode = createRoute({
  method: "post",
  path: "/auth/login/code",
  security: [],
  request: body(CodeRequest),
  responses: { ...ok(Notice), ...errors(400, 503) },
});

const postLoginCodeComplete = createRoute({
  method: "post",
  path: "/auth/login/code/complete",
  security: [],
  request: body(CodeLogin),
  responses: { ...ok(TokenAnswer), ...errors(400, 429) },
});

const postSignupCode = createRoute({
  method: "post",
  path: "/auth/signup/code",
  security: [],
  request: body(CodeRequest),
  responses: { ...ok(Notice), ...errors(400, 503) },
});

const postSignupComplete = createRoute({
  method: "post",
  path: "/auth/signup/complete",
  security: [],
  request: body(SignupComplete),
  responses: { ...ok(TokenAnswer), ...errors(400, 409, 429) },
});

const postPasswordCode = createRoute({
  method: "post",
  path: "/auth/password/code",
  ...bearerRoute,
  responses: { ...ok(Notice), ...errors(401, 503) },
});

const postPassword = createRoute({
  method: "post",
  path: "/auth/password",
  ...bearerRoute,
  request: body(PasswordChange),
  responses: { ...noContent, ...errors(400, 401, 403, 429) },
});

const postResetCode = createRoute({
  method: "post",
  path: "/auth/password/reset/code",
  security: [],
  request: body(CodeRequest),
  responses: { ...ok(Notice), ...errors(400, 503) },
});

const postResetComplete = createRoute({
  method: "post",
  path: "/auth/password/reset/complete",
  security: [],
  request: body(ResetComplete),
  responses: { ...ok(TokenAnswer), ...errors(400, 429) },
});

const ACCOUNT_NOTICE = "If this address has an account, we have sent a code to it.";

/** E-mail, and password or mailed code: sign in, sign up, reset. */
export function passwordRoutes() {
  return createRouter()
    .openapi(postLogin, async (c) => c.json(await logIn(scopeOf(c), c.req.valid("json")), 200))
    .openapi(postLoginCode, async (c) => {
      await requestCode(scopeOf(c), { purpose: "login", ...c.req.valid("json") });
      return c.json({ notice: ACCOUNT_NOTICE }, 200);
    })
    .openapi(postLoginCodeComplete, async (c) =>
      c.json(await completeCodeLogin(scopeOf(c), c.req.valid("json")), 200),
    )
    .openapi(postSignupCode, async (c) => {
      await requestCode(scopeOf(c), { purpose: "signup", ...c.req.valid("json") });
      return c.json({ notice: NEW_ADDRESS_NOTICE }, 200);
    })
    .openapi(postSignupComplete, async (c) =>
      c.json(await completeSignup(scopeOf(c), c.req.valid("json")), 200),
    )
    .openapi(postPasswordCode, async (c) => {
      await requestOwnCode(scopeOf(c), { purpose: "password", userId: userOf(c).userId });
      return c.json({ notice: OWN_CODE_NOTICE }, 200);
    })
    .openapi(postPassword, async (c) => {
      await changePassword(scopeOf(c), userOf(c), c.req.valid("json"));
      return c.body(null, 204);
    })
    .openapi(postResetCode, async (c) => {
      await requestCode(scopeOf(c), { purpose: "reset", ...c.req.valid("json") });
      return c.json({ notice: ACCOUNT_NOTICE }, 200);
    })
    .openapi(postResetComplete, async (c) =>
      c.json(await completeReset(scopeOf(c), c.req.valid("json")), 200),
    );
}
