import type { SigninConfig } from "../config/config.ts";
import { corsHeaders, isAllowedOrigin } from "./origins.ts";

const YEAR_SEC = 31_536_000;

/** Adds the headers of every response: its id, CORS for allowed origins, and the security headers. */
export function completeHeaders(
  config: SigninConfig,
  response: Response,
  { request, requestId }: { request: Request; requestId: string },
): Response {
  const { headers } = response;
  const origin = request.headers.get("origin");
  // A public document is the same for every origin, and no credentials belong to it.
  if (headers.get("access-control-allow-origin") !== "*") {
    if (isAllowedOrigin(config, origin)) {
      for (const [name, value] of Object.entries(corsHeaders(origin))) headers.set(name, value);
    }
    headers.append("Vary", "Origin");
  }
  headers.set("X-Request-Id", requestId);
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("X-Frame-Options", "DENY");
  headers.set("Referrer-Policy", "no-referrer");
  if (config.secure) {
    headers.set("Strict-Transport-Security", `max-age=${YEAR_SEC}; includeSubDomains`);
  }
  setDefault(headers, "Cache-Control", "no-store");
  setDefault(headers, "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  return response;
}

function setDefault(headers: Headers, name: string, value: string): void {
  if (!headers.has(name)) headers.set(name, value);
}
