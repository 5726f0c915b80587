import { isLoopbackOrigin } from "../config/addresses.ts";
import type { SigninConfig } from "../config/config.ts";
import { failure } from "../errors.ts";
import { wantsPage } from "./navigation.ts";

// What services need to verify access tokens. Any origin may read these, without credentials.
export const KEY_SET_PATH = "/.well-known/jwks.json";
/** RFC 8414, section 3. */
export const METADATA_PATH = "/.well-known/oauth-authorization-server";

type OriginConfig = Pick<SigninConfig, "allowedOrigins" | "trustedHosts" | "baseUrl">;

/** Whether browsers may read responses and use the refresh cookie at this origin. The comparison is exact; `null` is never allowed. */
export function isAllowedOrigin(config: OriginConfig, origin: string | null): origin is string {
  return origin !== null && config.allowedOrigins.includes(origin);
}

/** A request that is authenticated by cookie must have an allowed `Origin` (ASVS 3.5). */
export function requireAllowedOrigin(config: OriginConfig, headers: Headers): void {
  if (!isAllowedOrigin(config, headers.get("origin"))) throw failure("forbidden_origin");
}

/** Whether every host that the request names is listed. */
export function isTrustedHost(config: OriginConfig, hosts: readonly (string | null)[]): boolean {
  return hosts.every((host) => host === null || hostIsListed(config, host.toLowerCase()));
}

function hostIsListed({ trustedHosts, baseUrl }: OriginConfig, host: string): boolean {
  if (trustedHosts.includes(host)) return true;
  const parts = /^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::(\d{1,5}))?$/.exec(host);
  const name = parts?.[1];
  if (name === undefined || !trustedHosts.includes(name)) return false;
  // The public address allows its own port only. A name of TRUSTED_HOSTS without a port allows any.
  const own = new URL(baseUrl);
  const defaultPort = own.protocol === "https:" ? "443" : "80";
  return name !== own.host || parts?.[2] === undefined || parts[2] === defaultPort;
}

/**
 * The redirect of a browser's navigation in development to the public address, if that is another loopback name of this server:
 * passkeys and cookies belong to one name. Undefined for every other request.
 */
export function redirectToOwnName(
  { env, baseUrl }: Pick<SigninConfig, "env" | "baseUrl">,
  request: Request,
): Response | undefined {
  const [url, own] = [new URL(request.url), new URL(baseUrl)];
  const isOther = url.host !== own.host && url.port === own.port;
  if (env !== "development" || !isOther || !wantsPage(request)) return undefined;
  if (![url, own].every(({ origin }) => isLoopbackOrigin(origin))) return undefined;
  const headers = { Location: `${own.origin}${url.pathname}${url.search}` };
  return new Response(null, { status: 302, headers });
}

/** The response to a preflight. @throws SigninError `forbidden_origin` */
export function preflightResponse(config: OriginConfig, request: Request): Response {
  const { pathname } = new URL(request.url);
  if (pathname === KEY_SET_PATH || pathname === METADATA_PATH) return publicPreflight(request);
  const origin = request.headers.get("origin");
  if (!isAllowedOrigin(config, origin)) throw failure("forbidden_origin");
  return new Response(null, {
    status: 204,
    headers: {
      ...corsHeaders(origin),
      "Access-Control-Allow-Methods": "GET, POST, PATCH, DELETE",
      "Access-Control-Allow-Headers": "authorization, content-type",
      "Access-Control-Max-Age": "600",
    },
  });
}

/** For any origin. A client may add headers of its own. */
function publicPreflight(request: Request): Response {
  const asked = request.headers.get("access-control-request-headers");
  return new Response(null, {
    status: 204,
    headers: {
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Methods": "GET",
      ...(asked === null ? {} : { "Access-Control-Allow-Headers": asked }),
      "Access-Control-Max-Age": "600",
    },
  });
}

export function isPreflight(request: Request): boolean {
  return request.method === "OPTIONS" && request.headers.has("access-control-request-method");
}

/** With credentials: browsers must send the refresh cookie and the binding cookie of a link flow. */
export function corsHeaders(origin: string): Record<string, string> {
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Allow-Credentials": "true",
    "Access-Control-Expose-Headers": "Retry-After, X-Request-Id, WWW-Authenticate",
  };
}
