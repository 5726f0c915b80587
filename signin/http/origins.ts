import type { SigninConfig } from "../config/config.ts";
import { failure } from "../errors.ts";

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

/** The answer to a preflight. */
export function preflightResponse(config: OriginConfig, request: Request): Response {
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
