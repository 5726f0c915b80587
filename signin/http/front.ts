import type { OpenAPIHono } from "@hono/zod-openapi";
import { getPath } from "hono/utils/url";
import { allowedMethods, findRoute } from "../../shared/http/matching-routes.ts";
import type { RequestOrigin, Scope, SigninDeps } from "../deps.ts";
import { failure, methodNotAllowed, notFound } from "../errors.ts";
import { BODY_BYTES_MAX } from "../limits.ts";
import { once } from "../once.ts";
import { chooseLanguage } from "../texts/languages.ts";
import { createAddressReader } from "./client-address.ts";
import { failurePage } from "./error-page.ts";
import { failureResponse, toFailure } from "./errors.ts";
import { completeHeaders } from "./headers.ts";
import { wantsPage } from "./navigation.ts";
import {
  isAllowedOrigin,
  isPreflight,
  isTrustedHost,
  preflightResponse,
  redirectToOwnName,
} from "./origins.ts";
import { scopeOf } from "./scope.ts";

/** Parts that live as long as the app, and that the runtime does not supply. */
type AppParts = Pick<Scope, "keyring" | "accessTokens" | "providers" | "relyingParty">;

const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];
// Probes address the server by its IP address.
const PROBES = ["/health", "/ready"];
// GET has side effects here. A mail or chat program that previews a link sends HEAD, which would run the GET.
const NOT_FOR_HEAD = /^\/auth\/[^/]+\/(login|callback)$/;

/**
 * The routes as a request handler that never throws. Each request is checked in this order: host, size, origin; then the routes
 * handle it. Each response gets a request id and security headers.
 */
export function createFront(
  deps: SigninDeps,
  parts: AppParts,
  api: OpenAPIHono,
): (request: Request, origin?: RequestOrigin) => Promise<Response> {
  const { config, log, clock } = deps;
  const logsRequests = config.logLevel === "debug" || config.logLevel === "trace";
  const addressOf = createAddressReader(config);
  const refuse = (error: unknown, request: Request, requestId: string) => {
    const failure = toFailure(error, requestId, log);
    return wantsPage(request) ? failurePage(failure, config, request) : failureResponse(failure);
  };
  api.onError((error, c) => refuse(error, c.req.raw, scopeOf(c).client.requestId));
  api.notFound((c) => {
    const methods = allowedMethods(api, c.req.path);
    throw methods.length > 0 ? methodNotAllowed(methods) : notFound();
  });

  return async (request, origin = {}) => {
    const requestId = crypto.randomUUID();
    const client = {
      requestId,
      address: addressOf(origin, request.headers),
      userAgent: request.headers.get("user-agent") ?? "",
      language: chooseLanguage(request.headers.get("accept-language")),
    };
    const startedAt = clock.now();
    let response: Response;
    try {
      await origin.before?.();
      response =
        admit({ config, ...parts }, request, origin) ??
        (await withScope({ deps, parts, client, origin }, (scope) =>
          api.fetch(request, { scope }),
        ));
    } catch (error) {
      response = refuse(error, request, requestId);
    }
    if (logsRequests) {
      const { method } = request;
      // The pattern of the route: the path itself may hold a secret. The path is decoded as the router decodes it.
      const route = findRoute(api, getPath(request)) ?? null;
      const fields = { method, route, status: response.status, request_id: requestId };
      log.debug({ ...fields, ms: clock.now() - startedAt }, "A request was answered.");
    }
    return completeHeaders(config, response, { request, requestId });
  };
}

/** Answers a preflight; undefined for a request that may continue. @throws SigninError for one that may not */
function admit(
  { config, providers }: Pick<Scope, "config" | "providers">,
  request: Request,
  { host }: RequestOrigin,
): Response | undefined {
  const { method, headers } = request;
  const url = new URL(request.url);
  const hosts = [url.host, host ?? headers.get("host")];
  const redirect = redirectToOwnName(config, request);
  if (redirect) return redirect;
  if (!PROBES.includes(url.pathname) && !isTrustedHost(config, hosts))
    throw failure("untrusted_host");
  if (isPreflight(request)) return preflightResponse(config, request);
  if (Number(headers.get("content-length") ?? 0) > BODY_BYTES_MAX)
    throw failure("payload_too_large");
  const from = headers.get("origin");
  const isFree = SAFE_METHODS.includes(method) || isPostedCallback(providers, method, url.pathname);
  if (from !== null && !isFree && !isAllowedOrigin(config, from)) {
    throw failure("forbidden_origin");
  }
  if (method === "HEAD" && NOT_FOR_HEAD.test(url.pathname)) throw methodNotAllowed(["GET"]);
  return undefined;
}

/** A provider such as Apple posts from its own origin. The request changes nothing. */
function isPostedCallback({ find }: Scope["providers"], method: string, path: string): boolean {
  const [, slug] = /^\/auth\/([a-z0-9]+)\/callback$/.exec(path) ?? [];
  return method === "POST" && slug !== undefined && find(slug)?.postsCallback === true;
}

interface ScopeParts {
  deps: SigninDeps;
  parts: AppParts;
  client: Scope["client"];
  origin: RequestOrigin;
}

/** Runs a request with a database of its own, from its first use until the background work has ended. */
async function withScope(
  { deps, parts, client, origin }: ScopeParts,
  work: (scope: Scope) => Response | Promise<Response>,
): Promise<Response> {
  let close = () => {};
  const db = once(() => {
    const database = deps.openDb();
    close = () => database.close();
    return database.db;
  });
  const audit = once(() => deps.openAudit(db()));
  const rateLimiter = once(() => deps.openRateLimiter(db()));
  const pending: Promise<unknown>[] = [];
  const background = (task: Promise<unknown>) => {
    const { requestId } = client;
    pending.push(
      task.catch((error: unknown) => {
        deps.log.error({ error, request_id: requestId }, "Background work failed.");
      }),
    );
  };
  try {
    return await work({
      ...deps,
      ...parts,
      get db() {
        return db();
      },
      get rateLimiter() {
        return rateLimiter();
      },
      client,
      background,
      record: (event) => background(audit().record({ ...event, client })),
    });
  } finally {
    const done = settle(pending).then(() => close());
    origin.waitUntil?.(done);
  }
}

/** Background work may add more of it. */
async function settle(pending: Promise<unknown>[]): Promise<void> {
  while (pending.length > 0) await Promise.all(pending.splice(0));
}
