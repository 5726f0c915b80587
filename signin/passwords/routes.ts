import { createRoute } from "@hono/zod-openapi";
import { body, errors, ok } from "../../shared/http/responses.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { TokenAnswer } from "../tokens/wire.ts";
import { logIn } from "./login.ts";
import { completeReset } from "./reset.ts";
import { requestCode } from "./send-code.ts";
import { completeSignup } from "./sign-up.ts";
import { CodeRequest, Notice, PasswordLogin, ResetComplete, SignupComplete } from "./wire.ts";

const postLogin = createRoute({
  method: "post",
  path: "/auth/login",
  security: [],
  request: body(PasswordLogin),
  responses: { ...ok(TokenAnswer), ...errors(400, 401, 429) },
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

const SIGNUP_NOTICE = "We have sent a message to this address. It says how to go on.";
const RESET_NOTICE = "If this address has an account, we have sent a code to it.";

/** E-mail and password: sign in, sign up, reset. */
export function passwordRoutes() {
  return createRouter()
    .openapi(postLogin, async (c) => c.json(await logIn(scopeOf(c), c.req.valid("json")), 200))
    .openapi(postSignupCode, async (c) => {
      await requestCode(scopeOf(c), { purpose: "signup", ...c.req.valid("json") });
      return c.json({ notice: SIGNUP_NOTICE }, 200);
    })
    .openapi(postSignupComplete, async (c) =>
      c.json(await completeSignup(scopeOf(c), c.req.valid("json")), 200),
    )
    .openapi(postResetCode, async (c) => {
      await requestCode(scopeOf(c), { purpose: "reset", ...c.req.valid("json") });
      return c.json({ notice: RESET_NOTICE }, 200);
    })
    .openapi(postResetComplete, async (c) =>
      c.json(await completeReset(scopeOf(c), c.req.valid("json")), 200),
    );
}
