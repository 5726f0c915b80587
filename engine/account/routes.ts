import { body, errors, ok } from "../../shared/http/responses.ts";
import type { EngineDeps } from "../deps.ts";
import { accountServerFailed } from "../errors.ts";
import { ignoredBody } from "../http/ignored-body.ts";
import { get, post } from "../http/route.ts";
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

type AccountDeps = Pick<EngineDeps, "config" | "vault" | "clock" | "fetch" | "log">;

/** The account (Engine §4). Without an account server there is no session. */
export function accountRoutes(deps: AccountDeps) {
  const account = createAccount(deps);
  const configured = () => {
    if (!account) throw accountServerFailed("No account server is configured.");
    return account;
  };
  const begin: AccountSessions["begin"] = (signIn) => configured().sessions.begin(signIn);
  return createRouter({ details: true, tag: "account" }, [
    get("/account/session", {
      operationId: "getAccountSession",
      summary: "Get who is signed in",
      description: "A saved session that the account server rejects is removed.",
      responses: { ...ok(AccountSession), ...errors(502, 503) },
      handler: async () => (await account?.sessions.restore()) ?? LOGGED_OUT,
    }),
    get("/account/server", {
      operationId: "getAccountServer",
      summary: "Get the address of the account server",
      description: "The address is configuration of the engine, and null where none is set.",
      responses: ok(AccountServer),
      handler: () => ({ url: deps.config.accountUrl ?? null }),
    }),
    post("/account/login", {
      operationId: "loginAccount",
      summary: "Sign in with e-mail address and password",
      description:
        "The engine keeps the session, and refreshes it. The password is not stored. A 401 whose `details` are `second_factor_required` or `second_factor_rejected` asks for the same body with `second_factor`.",
      request: body(AccountLogin),
      responses: { ...ok(AccountSession), ...CLOUD_ERRORS },
      handler: async ({ body }) => begin((server) => server.login(body)),
    }),
    post("/account/signup/code", {
      operationId: "sendAccountSignupCode",
      summary: "Request a sign-up code by mail",
      description: "The response is the same whether the address has an account or not.",
      request: body(SignupCodeRequest),
      responses: { ...ok(SignupNotice), ...CLOUD_ERRORS },
      handler: async ({ body }) => configured().server.requestSignupCode(body),
    }),
    post("/account/signup/complete", {
      operationId: "completeAccountSignup",
      summary: "Create an account with the mailed code, and sign in",
      description: "The engine keeps the session, as after a sign-in.",
      request: body(SignupCompleteRequest),
      responses: { ...ok(AccountSession), ...CLOUD_ERRORS },
      handler: async ({ body }) => begin((server) => server.completeSignup(body)),
    }),
    post("/account/adopt", {
      operationId: "adoptAccountSession",
      summary: "Take over a session that the command line began",
      description:
        "The engine rotates the refresh token at once, so that no other program can use it.",
      request: body(AdoptSession),
      responses: { ...ok(AccountSession), ...CLOUD_ERRORS },
      handler: async ({ body }) => begin((server) => server.refresh(body.refresh_token)),
    }),
    post("/account/logout", {
      operationId: "logoutAccount",
      summary: "Sign out",
      description: "The saved session is removed, even if the account server does not respond.",
      request: ignoredBody,
      responses: ok(AccountSession),
      handler: async () => (await account?.sessions.logOut()) ?? LOGGED_OUT,
    }),
  ]);
}

function createAccount({ config, vault, clock, fetch, log }: AccountDeps) {
  if (config.accountUrl === undefined) return undefined;
  const server = createAccountServerClient({ accountUrl: config.accountUrl, fetch, clock });
  const saved = createSessionFile(config.dataDirectory, vault);
  return { server, sessions: new AccountSessions({ server, saved, clock, log }) };
}
