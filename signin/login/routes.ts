import { errors, ok } from "../../shared/http/responses.ts";
import { get, post, type Route } from "../../shared/http/route.ts";
import { createIssuerGate } from "../accounts/issuers.ts";
import type { Scope } from "../deps.ts";
import { invalidRequest, methodNotAllowed, providerDisabled } from "../errors.ts";
import { authenticate } from "../http/current-user.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import type { LoginProvider } from "../providers/provider.ts";
import { ProviderParam } from "../providers/wire.ts";
import { requireWithinLimit } from "../rate-limits/guard.ts";
import { finishFlow } from "./finish.ts";
import { toGetCallback } from "./posted-callback.ts";
import { startLink, startLogin, startNative } from "./start.ts";
import { LoginQuery, LoginResponse, postedCallbackBody, toLoginRequest } from "./wire.ts";

const BEARER_FOR_LINKS: Record<string, string[]>[] = [{ bearer: [] }, {}];

/** `GET /auth/{provider}/login` and `/callback`. */
export function loginRoutes() {
  const requireOwnIssuer = createIssuerGate();
  return createRouter("login", [startRoute(requireOwnIssuer), ...callbackRoutes(requireOwnIssuer)]);
}

type IssuerGate = ReturnType<typeof createIssuerGate>;

function startRoute(requireOwnIssuer: IssuerGate): Route {
  return get("/auth/{provider}/login", {
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
  });
}

function callbackRoutes(requireOwnIssuer: IssuerGate): Route[] {
  return [
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
    post("/auth/{provider}/callback", {
      operationId: "postCallback",
      summary: "Receive the callback of a provider that posts it",
      description:
        "For a provider with `response_mode=form_post`, such as Apple. The form has `state`, `code`, `error` and `user`. It changes nothing: the browser sends the binding cookie with the redirect alone.",
      security: [],
      request: { params: ProviderParam, ...postedCallbackBody },
      responses: {
        "2XX": { description: "Does not occur: a success is a redirect" },
        303: { description: "To `GET /auth/{provider}/callback`" },
        ...errors(404, 413),
      },
      handler: async (c) => {
        const scope = scopeOf(c);
        const provider = getProvider(scope, c.req.valid("param").provider);
        if (!provider.postsCallback) throw methodNotAllowed(["GET"]);
        return c.redirect(await toGetCallback(scope.config, provider, c.req.raw), 303);
      },
    }),
  ];
}

/** @throws SigninError `provider_disabled` */
function getProvider({ providers }: Scope, slug: string): LoginProvider {
  const provider = providers.find(slug);
  if (!provider) throw providerDisabled(providers.list().map((each) => each.slug));
  return provider;
}
