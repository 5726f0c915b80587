import type { OpenAPIHono } from "@hono/zod-openapi";
import { allowedMethods } from "../../shared/http/matching-routes.ts";
import type { Logger } from "../../shared/log.ts";
import { failure, methodNotAllowed } from "../errors.ts";
import { allowOrigin, isPreflight, preflightResponse } from "./cors.ts";
import { toResponse } from "./errors.ts";
import type { BearerCheck, Guard } from "./guard.ts";
import type { Connection } from "./own-account.ts";

/** The prefix of every path (Engine §9). */
export const API_PREFIX = "/api/v1";

const PREFIX_WITH_SLASH = `${API_PREFIX}/`;
const PUBLIC_PATH = `${API_PREFIX}/health`;
const SCHEME_LENGTH = "http://".length;

interface PipelineDeps {
  guard: Guard;
  bearer: BearerCheck;
  log: Logger;
}

/** What is served outside of the prefix, without a bearer. */
interface OpenPages {
  serves(path: string): boolean;
  /** @throws EngineError */
  fetch(request: Request, path: string, connection?: Connection): Promise<Response>;
}

/** What is served outside of the prefix with keys of its own, to pages of listed origins, too. */
interface Door {
  serves(path: string): boolean;
  fetch(request: Request): Promise<Response>;
  /** Request headers that a preflight allows beside the usual ones. */
  allowsHeader(name: string): boolean;
}

type Fetch = (request: Request, connection?: Connection) => Response | Promise<Response>;

/**
 * Passes every request through the guard, then the bearer (every path under the prefix but the health check), then the
 * routes. Only an exact path reaches a route; an encoded one such as `/api/v%31/…` has none. Pages outside of the prefix are
 * for no other origin, so they have no CORS.
 */
export function createPipeline(
  deps: PipelineDeps,
  api: OpenAPIHono,
  { pages, door }: { pages?: OpenPages | undefined; door?: Door | undefined },
): Fetch {
  const { guard, log } = deps;
  const refuse = (error: Error) => toResponse(error, log);
  api.onError((error) => toResponse(error, log));
  api.notFound((c) => {
    const routed = allowedMethods(api, c.req.path);
    const methods = routed.includes("GET") ? [...routed, "HEAD"].sort() : routed;
    throw methods.length > 0 ? methodNotAllowed(methods) : failure("not_found");
  });

  const admitted: Fetch = (request) => {
    const path = pathOf(request.url);
    if (door?.serves(path)) return door.fetch(request);
    if (path !== API_PREFIX && !path.startsWith(PREFIX_WITH_SLASH))
      return refuse(failure("not_found"));
    if (!isPublic(request.method, path)) {
      const authorization = request.headers.get("authorization");
      if (!deps.bearer.acceptsHeader(authorization)) return refuse(failure("unauthorized"));
    }
    return request.method === "HEAD" ? headOf(api, request) : api.fetch(request);
  };

  return (request, connection) => {
    const origin = request.headers.get("origin");
    const host = request.headers.get("host");
    const error = guard.checkHostAndOrigin({ host, origin, authority: authorityOf(request.url) });
    if (error) return refuse(error);
    const path = pathOf(request.url);
    if (pages?.serves(path)) return pages.fetch(request, path, connection).catch(refuse);
    if (!guard.isListedOrigin(origin)) return admitted(request);
    if (isPreflight(request)) {
      return preflightResponse(request, origin, door?.serves(path) ? door.allowsHeader : undefined);
    }
    return Promise.resolve(admitted(request)).then((response) => allowOrigin(response, origin));
  };
}

function isPublic(method: string, path: string): boolean {
  return path === PUBLIC_PATH && (method === "GET" || method === "HEAD");
}

function authorityOf(url: string): string {
  return url.slice(SCHEME_LENGTH, url.indexOf("/", SCHEME_LENGTH));
}

function pathOf(url: string): string {
  const end = url.indexOf("?", SCHEME_LENGTH);
  return url.slice(url.indexOf("/", SCHEME_LENGTH), end < 0 ? undefined : end);
}

/** Answers HEAD as GET, without the body; a stream that began for it is cancelled. */
async function headOf(api: OpenAPIHono, request: Request): Promise<Response> {
  const get = new Request(request.url, { headers: request.headers, signal: request.signal });
  const response = await api.fetch(get);
  await response.body?.cancel();
  return new Response(null, { status: response.status, headers: response.headers });
}
