import { OpenAPIHono } from "@hono/zod-openapi";
import { accountSettingsRoutes } from "./account-settings/routes.ts";
import { accountRoutes } from "./accounts/routes.ts";
import { auditRoutes } from "./audit/routes.ts";
import { createRelyingParty } from "./config/relying-party.ts";
import { connectionRoutes } from "./connections/routes.ts";
import type { RequestOrigin, SigninDeps } from "./deps.ts";
import { createFront } from "./http/front.ts";
import { loginRoutes } from "./login/routes.ts";
import { nativeRoutes } from "./native/routes.ts";
import { operationsRoutes } from "./operations/routes.ts";
import { pageRoutes } from "./page/routes.ts";
import { passkeyRoutes } from "./passkeys/routes.ts";
import { passwordRoutes } from "./passwords/routes.ts";
import { createLoginProviders } from "./providers/registry.ts";
import { reauthenticationRoutes } from "./reauthentication/routes.ts";
import { secondFactorRoutes } from "./second-factor/routes.ts";
import { sessionRoutes } from "./sessions/routes.ts";
import { createAccessTokens } from "./tokens/access-token.ts";
import { createKeyring } from "./tokens/keyring.ts";
import { tokenRoutes } from "./tokens/routes.ts";
import { wellKnownRoutes } from "./tokens/well-known-routes.ts";

/** The sign-in server as a request handler. Each runtime listens for it. */
export interface Signin {
  /** All routes. The OpenAPI document is made of them. */
  api: OpenAPIHono;
  /** Never throws. */
  fetch(request: Request, origin?: RequestOrigin): Promise<Response>;
}

export function createSignin(deps: SigninDeps): Signin {
  const { config } = deps;
  const keyring = createKeyring(config, deps.hmac);
  const accessTokens = createAccessTokens({ ...deps, keyring });
  const providers = createLoginProviders(deps);
  const relyingParty = createRelyingParty(config);
  const api = new OpenAPIHono();
  // In the order in which routes are looked up.
  for (const router of [
    operationsRoutes(config),
    loginRoutes(),
    nativeRoutes(),
    accountRoutes(),
    accountSettingsRoutes(),
    reauthenticationRoutes(),
    secondFactorRoutes(),
    sessionRoutes(),
    auditRoutes(),
    connectionRoutes(),
    tokenRoutes(),
    wellKnownRoutes(),
    passwordRoutes(),
    passkeyRoutes(),
    pageRoutes(config),
  ]) {
    api.route("/", router);
  }
  const parts = { keyring, accessTokens, providers, relyingParty };
  return { api, fetch: createFront(deps, parts, api) };
}
