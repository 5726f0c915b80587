import type { OpenAPIHono } from "@hono/zod-openapi";
import type { RequestOrigin, Scope, SigninDeps } from "../deps.ts";
import {
  forbiddenOrigin,
  methodNotAllowed,
  notFound,
  payloadTooLarge,
  untrustedHost,
} from "../errors.ts";
import { BODY_BYTES_MAX } from "../limits.ts";
import { createAddressReader } from "./client-address.ts";
import { failurePage, wantsPage } from "./error-page.ts";
import { failureResponse, toFailure } from "./errors.ts";
import {
  corsHeaders,
  isAllowedOrigin,
  isPreflight,
  isTrustedHost,
  preflightResponse,
} from "./origins.ts";
import { scopeOf } from "./scope.ts";

/** What lives as long as the app and is no dependency of the rim. */
export type AppParts = Pick<Scope, "keyring" | "accessTokens" | "providers">;

const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];
// Probes come by address.
const PROBES = ["/health", "/ready"];
// GET changes something here; a mail or chat program that looks at a link must not (its HEAD would run the GET).
const NOT_FOR_HEAD = /^\/auth\/[^/]+\/(login|callback)$/;

/**
 * What every request passes, in this order: host, size, origin, then the routes. Every answer gets its id and the
 * headers that a browser needs to be careful with it.
 */
export function createFront(deps: SigninDeps, parts: AppParts, api: OpenAPIHono) {
  const { config, log } = deps;
  const addressOf = createAddressReader(config);
  const refuse = (error: unknown, request: Request, requestId: string) => {
    const failure = toFailure(error, requestId, log);
    return wantsPage(request) ? failurePage(failure, config.uiUrl) : failureResponse(failure);
  };
  api.onError((error, c) => refuse(error, c.req.raw, scopeOf(c).client.requestId));
  api.notFound((c) => {
    const methods = methodsOf(api, c.req.path);
    throw methods.length > 0 ? methodNotAllowed(methods) : notFound();
  });

  return async (request: Request, origin: RequestOrigin = {}): Promise<Response> => {
    const requestId = crypto.randomUUID();
    let response: Response;
    try {
      response = admit(request, origin) ?? (await answer(request, origin, requestId));
    } catch (error) {
      response = refuse(error, request, requestId);
    }
    return complete(response, request, requestId);
  };

  /** The answer of the guard itself: to a preflight. */
  function admit(request: Request, { host }: RequestOrigin): Response | undefined {
    const url = new URL(request.url);
    const hosts = [url.host, host ?? request.headers.get("host")];
    if (!PROBES.includes(url.pathname) && !isTrustedHost(config, hosts)) throw untrustedHost();
    if (isPreflight(request)) return preflightResponse(config, request);
    if (Number(request.headers.get("content-length") ?? 0) > BODY_BYTES_MAX)
      throw payloadTooLarge();
    const from = request.headers.get("origin");
    if (from !== null && !SAFE_METHODS.includes(request.method) && !isAllowedOrigin(config, from)) {
      throw forbiddenOrigin();
    }
    if (request.method === "HEAD" && NOT_FOR_HEAD.test(url.pathname))
      throw methodNotAllowed(["GET"]);
    return undefined;
  }

  async function answer(request: Request, origin: RequestOrigin, requestId: string) {
    const { db, close } = deps.openDb();
    const pending: Promise<unknown>[] = [];
    try {
      const scope: Scope = {
        ...parts,
        config,
        clock: deps.clock,
        random: deps.random,
        fetch: deps.fetch,
        log,
        mailer: deps.mailer,
        hasher: deps.hasher,
        db,
        audit: deps.openAudit(db),
        rateLimiter: deps.openRateLimiter(db),
        client: {
          requestId,
          address: addressOf(origin, request.headers),
          userAgent: request.headers.get("user-agent") ?? "",
        },
        background: (work) => {
          pending.push(
            work.catch((error: unknown) =>
              log.error({ error, request_id: requestId }, "Background work failed."),
            ),
          );
        },
      };
      return await api.fetch(request, { scope });
    } finally {
      // New work may come from work that is pending: only the rim's end of the request ends the wait.
      const done = settleAll(pending).then(close);
      origin.waitUntil?.(done);
    }
  }

  function complete(response: Response, request: Request, requestId: string): Response {
    const { headers } = response;
    const from = request.headers.get("origin");
    if (isAllowedOrigin(config, from)) {
      for (const [name, value] of Object.entries(corsHeaders(from))) headers.set(name, value);
    }
    headers.append("Vary", "Origin");
    headers.set("X-Request-Id", requestId);
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "no-referrer");
    if (config.secure)
      headers.set("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
    if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
    if (!headers.has("Content-Security-Policy")) {
      headers.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    }
    headers.set("X-Frame-Options", "DENY");
    return response;
  }
}

async function settleAll(pending: Promise<unknown>[]): Promise<void> {
  while (pending.length > 0) await Promise.all(pending.splice(0));
}

/** What `Allow` says of a path: the methods of the routes that match it. */
function methodsOf(api: OpenAPIHono, path: string): string[] {
  const methods = new Set<string>();
  for (const route of api.routes) {
    if (route.method !== "ALL" && matches(route.path, path)) methods.add(route.method);
  }
  return [...methods].sort();
}

function matches(pattern: string, path: string): boolean {
  const expected = pattern.split("/");
  const given = path.split("/");
  return (
    expected.length === given.length &&
    expected.every((part, at) => (part.startsWith(":") ? given[at] !== "" : part === given[at]))
  );
}
