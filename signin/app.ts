import { OpenAPIHono } from "@hono/zod-openapi";
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
import { sessionRoutes } from "./sessions/routes.ts";
import { createAccessTokens } from "./tokens/access-token.ts";
import { createKeyring } from "./tokens/keyring.ts";
import { tokenRoutes } from "./tokens/routes.ts";
import { wellKnownRoutes } from "./tokens/well-known-routes.ts";

/** The sign-in server as a request handler. Each runtime listens for it. */
export interface Signin {
  /** The routes as they are declared; the OpenAPI document is made of them. */
  readonly api: OpenAPIHono;
  /** Never throws. */
  fetch(request: Request, origin?: RequestOrigin): Promise<Response>;
}

export function createSignin(deps: SigninDeps): Signin {
  const keyring = createKeyring(deps.config, deps.hmac);
  const accessTokens = createAccessTokens({ ...deps, keyring });
  const providers = createLoginProviders(deps);
  const relyingParty = createRelyingParty(deps.config);
  const parts = { keyring, accessTokens, providers, relyingParty };
  const api = new OpenAPIHono();
  for (const routes of [
    operationsRoutes(deps.config),
    loginRoutes(),
    nativeRoutes(),
    accountRoutes(),
    connectionRoutes(),
    tokenRoutes(),
    wellKnownRoutes(),
    passwordRoutes(),
    passkeyRoutes(),
    sessionRoutes(),
    auditRoutes(),
    pageRoutes(deps.config),
  ])
    api.route("/", routes);
  return { api, fetch: createFront(deps, parts, api) };
}
