import { createRoute } from "@hono/zod-openapi";
import { body, errors, ok } from "../../shared/http/responses.ts";
import type { EngineDeps } from "../deps.ts";
import { accountServerFailed } from "../errors.ts";
import { createRouter } from "../http/router.ts";
import { createAccountServerClient } from "./account-server.ts";
import { AccountSessions } from "./session.ts";
import { createSessionFile } from "./session-file.ts";
import {
  AccountLogin,
  AccountServer,
  AccountSession,
  AdoptSession,
  LOGGED_OUT,
  SignupCodeRequest,
  SignupCompleteRequest,
  SignupNotice,
} from "./wire.ts";

const CLOUD_ERRORS = errors(400, 401, 409, 429, 502, 503);

const getSession = createRoute({
  method: "get",
  path: "/account/session",
  responses: { ...ok(AccountSession), ...errors(502, 503) },
});

const getServer = createRoute({
  method: "get",
  path: "/account/server",
  responses: { ...ok(AccountServer) },
});

const postLogin = createRoute({
  method: "post",
  path: "/account/login",
  request: { ...body(AccountLogin) },
  responses: { ...ok(AccountSession), ...CLOUD_ERRORS },
});

const postSignupCode = createRoute({
  method: "post",
  path: "/account/signup/code",
  request: { ...body(SignupCodeRequest) },
  responses: { ...ok(SignupNotice), ...CLOUD_ERRORS },
});

const postSignupComplete = createRoute({
  method: "post",
  path: "/account/signup/complete",
  request: { ...body(SignupCompleteRequest) },
  responses: { ...ok(AccountSession), ...CLOUD_ERRORS },
});

const postAdopt = createRoute({
  method: "post",
  path: "/account/adopt",
  request: { ...body(AdoptSession) },
  responses: { ...ok(AccountSession), ...CLOUD_ERRORS },
});

const postLogout = createRoute({
  method: "post",
  path: "/account/logout",
  responses: { ...ok(AccountSession) },
});

type AccountDeps = Pick<EngineDeps, "config" | "vault" | "clock" | "fetch" | "log">;

/** The account (Engine §4). Without an account server there is no session. */
export function accountRoutes(deps: AccountDeps) {
  const account = createAccount(deps);
  const configured = () => {
    if (!account) throw accountServerFailed("No account server is configured.");
    return account;
  };
  return createRouter({ details: true })
    .openapi(getSession, async (c) =>
      c.json((await account?.sessions.restore()) ?? LOGGED_OUT, 200),
    )
    .openapi(getServer, (c) => c.json({ url: deps.config.accountUrl ?? null }, 200))
    .openapi(postLogin, async (c) =>
      c.json(await configured().sessions.logIn(c.req.valid("json")), 200),
    )
    .openapi(postSignupCode, async (c) =>
      c.json(await configured().server.requestSignupCode(c.req.valid("json")), 200),
    )
    .openapi(postSignupComplete, async (c) =>
      c.json(await configured().sessions.completeSignup(c.req.valid("json")), 200),
    )
    .openapi(postAdopt, async (c) =>
      c.json(await configured().sessions.adopt(c.req.valid("json").refresh_token), 200),
    )
    .openapi(postLogout, async (c) =>
      c.json((await account?.sessions.logOut()) ?? LOGGED_OUT, 200),
    );
}

function createAccount({ config, vault, clock, fetch, log }: AccountDeps) {
  if (config.accountUrl === undefined) return undefined;
  const server = createAccountServerClient({ accountUrl: config.accountUrl, fetch, clock });
  const saved = createSessionFile(config.dataDirectory, vault);
  return { server, sessions: new AccountSessions({ server, saved, clock, log }) };
}
