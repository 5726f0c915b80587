import { errors, ok } from "../../shared/http/responses.ts";
import { get } from "../../shared/http/route.ts";
import { createIssuerGate } from "../accounts/issuers.ts";
import type { Scope } from "../deps.ts";
import { invalidRequest, providerDisabled } from "../errors.ts";
import { authenticate } from "../http/current-user.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import type { LoginProvider } from "../providers/provider.ts";
import { ProviderParam } from "../providers/wire.ts";
import { requireWithinLimit } from "../rate-limits/guard.ts";
import { finishFlow } from "./finish.ts";
import { startLink, startLogin, startNative } from "./start.ts";
import { LoginQuery, LoginResponse, toLoginRequest } from "./wire.ts";

const BEARER_FOR_LINKS: Record<string, string[]>[] = [{ bearer: [] }, {}];

/** `GET /auth/{provider}/login` and `/callback`. */
export function loginRoutes() {
  const requireOwnIssuer = createIssuerGate();
  return createRouter("login", [
    get("/auth/{provider}/login", {
      operationId: "startLogin",
      summary: "Begin a sign-in, or link a provider",
      description:
        "Redirects to the provider. With `mode=link` (and the bearer) or `native=true` the response is JSON with the address.",
      security: BEARER_FOR_LINKS,
      request: { params: ProviderParam, query: LoginQuery },
      responses: {
        ...ok(LoginResponse, "The provider's address; open it in the same browser"),
        302: { description: "To the provider" },
        ...errors(400, 401, 404, 409, 429, 502, 503),
      },
      handler: async (c) => {
        const scope = scopeOf(c);
        const { headers } = c.req.raw;
        const provider = getProvider(scope, c.req.valid("param").provider);
        const wanted = toLoginRequest(c.req.valid("query"));
        if (typeof wanted === "string") throw invalidRequest(wanted);
        await requireWithinLimit(scope, "flowPerIp");
        await requireOwnIssuer(scope, provider);
        if (wanted.mode === "native") {
          const { url, state } = await startNative(scope, provider, wanted);
          return c.json({ url, state }, 200);
        }
        const { url, setCookies } =
          wanted.mode === "link"
            ? await startLink(scope, provider, headers, await authenticate(scope, headers))
            : await startLogin(scope, provider, headers);
        for (const cookie of setCookies) c.header("Set-Cookie", cookie, { append: true });
        return wanted.mode === "link" ? c.json({ url }, 200) : c.redirect(url, 302);
      },
    }),
    get("/auth/{provider}/callback", {
      operationId: "completeLogin",
      summary: "Complete a sign-in at the provider's redirect",
      description:
        "Browsers come here by the provider's redirect. The parameters are those of the OAuth 2.0 authorization response.",
      security: [],
      request: { params: ProviderParam },
      responses: {
        // Checkers of documents want a success.
        "2XX": { description: "Does not occur: a success is a redirect" },
        302: { description: "To the user interface, or to a native client's loopback address" },
        ...errors(400, 401, 403, 404, 409, 429, 502, 503),
      },
      handler: async (c) => {
        const scope = scopeOf(c);
        const provider = getProvider(scope, c.req.valid("param").provider);
        await requireWithinLimit(scope, "flowPerIp");
        await requireOwnIssuer(scope, provider);
        const { searchParams: parameters } = new URL(c.req.url);
        const { headers } = c.req.raw;
        const { location, setCookies } = await finishFlow(scope, provider, { parameters, headers });
        for (const cookie of setCookies) c.header("Set-Cookie", cookie, { append: true });
        return c.redirect(location, 302);
      },
    }),
  ]);
}

/** @throws SigninError `provider_disabled` */
function getProvider({ providers }: Scope, slug: string): LoginProvider {
  const provider = providers.find(slug);
  if (!provider) throw providerDisabled(providers.list().map((each) => each.slug));
  return provider;
}
