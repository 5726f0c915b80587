import type { SigninConfig } from "../config/config.ts";
import { failure } from "../errors.ts";

type OriginConfig = Pick<SigninConfig, "allowedOrigins" | "trustedHosts" | "baseUrl">;

/** Whether browsers of this origin may read answers and use the refresh cookie. Compared exactly; `null` never is. */
export function isAllowedOrigin(config: OriginConfig, origin: string | null): origin is string {
  return origin !== null && config.allowedOrigins.includes(origin);
}

/** For requests that act by cookie: they must say where they come from (ASVS 3.5). */
export function requireAllowedOrigin(config: OriginConfig, headers: Headers): void {
  if (!isAllowedOrigin(config, headers.get("origin"))) throw failure("forbidden_origin");
}

/** Whether the request was meant for this server: every host that it names is listed. */
export function isTrustedHost(config: OriginConfig, hosts: readonly (string | null)[]): boolean {
  return hosts.every((host) => host === null || hostIsListed(config, host.toLowerCase()));
}

function hostIsListed({ trustedHosts, baseUrl }: OriginConfig, host: string): boolean {
  if (trustedHosts.includes(host)) return true;
  const parts = /^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::(\d{1,5}))?$/.exec(host);
  const name = parts?.[1];
  if (name === undefined || !trustedHosts.includes(name)) return false;
  // The public address means its own port; a name of TRUSTED_HOSTS alone goes with any.
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
      "Access-Control-Allow-Methods": "GET, POST, DELETE",
      "Access-Control-Allow-Headers": "authorization, content-type",
      "Access-Control-Max-Age": "600",
    },
  });
}

export function isPreflight(request: Request): boolean {
  return request.method === "OPTIONS" && request.headers.has("access-control-request-method");
}

/** With credentials: the refresh cookie and the binding cookie of a link flow must travel. */
export function corsHeaders(origin: string): Record<string, string> {
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Allow-Credentials": "true",
    "Access-Control-Expose-Headers": "Retry-After, X-Request-Id, WWW-Authenticate",
  };
}
