import { equalsConstantTime } from "../../shared/constant-time.ts";
import { readBearer } from "../../shared/http/bearer.ts";
import type { Signin } from "../app.ts";
import type { SigninConfig } from "../config/config.ts";
import { completeHeaders } from "../http/headers.ts";
import type { Metrics } from "./metrics.ts";

/**
 * `GET /metrics` before the app, for the bearer of `METRICS_TOKEN`. Every other request goes to the app, where `/metrics` is
 * an unknown path. The host is not checked: a scraper addresses the server by its IP address, and the token decides.
 */
export function serveMetrics(
  config: SigninConfig,
  metrics: Metrics | undefined,
  fetch: Signin["fetch"],
): Signin["fetch"] {
  const { metricsToken } = config;
  if (metrics === undefined || metricsToken === undefined) return fetch;
  return async (request, origin) => {
    if (!isScrape(request, metricsToken)) return fetch(request, origin);
    const headers = { "Content-Type": metrics.contentType };
    const response = new Response(await metrics.toText(), { headers });
    return completeHeaders(config, response, { request, requestId: crypto.randomUUID() });
  };
}

function isScrape({ method, url, headers }: Request, metricsToken: string): boolean {
  if (method !== "GET" || new URL(url).pathname !== "/metrics") return false;
  const given = readBearer(headers);
  return given !== undefined && equalsConstantTime(given, metricsToken);
}
