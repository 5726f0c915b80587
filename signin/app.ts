import { OpenAPIHono } from "@hono/zod-openapi";
import type { RequestOrigin, SigninDeps } from "./deps.ts";
import { createFront } from "./http/front.ts";
import { createLoginProviders } from "./providers/registry.ts";
import { createAccessTokens } from "./tokens/access-token.ts";
import { createKeyring } from "./tokens/keyring.ts";
import { tokenRoutes } from "./tokens/routes.ts";

/** The sign-in server as a request handler; each rim gives it a port. */
export interface Signin {
  /** Never throws. */
  fetch(request: Request, origin?: RequestOrigin): Promise<Response>;
}

export function createSignin(deps: SigninDeps): Signin {
  const keyring = createKeyring(deps.config);
  const accessTokens = createAccessTokens({ ...deps, keyring });
  const providers = createLoginProviders(deps);
  const api = new OpenAPIHono();
  for (const routes of [tokenRoutes()]) api.route("/", routes);
  return { fetch: createFront(deps, { keyring, accessTokens, providers }, api) };
}
