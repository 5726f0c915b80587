const METHODS = "GET, HEAD, POST, PUT, DELETE";
const REQUEST_HEADERS = "Authorization, Content-Type, Last-Event-ID";
const READABLE_HEADERS =
  "Location, Content-Disposition, X-Preview-Kind, Link, Last-Event-ID, X-Thread-Uuid";
const PREFLIGHT_SECONDS = "600";

/** Whether the request is a preflight. */
export function isPreflight(request: Request): boolean {
  return request.method === "OPTIONS" && request.headers.has("access-control-request-method");
}

/**
 * The response to a preflight of a listed origin. It needs no bearer, since a preflight has none. `allowsMore` judges further
 * headers that the request names.
 */
export function preflightResponse(
  request: Request,
  origin: string,
  allowsMore: (name: string) => boolean = () => false,
): Response {
  const named =
    request.headers.get("access-control-request-headers")?.toLowerCase().split(",") ?? [];
  const more = named.map((name) => name.trim()).filter(allowsMore);
  const response = new Response(null, { status: 204 });
  const { headers } = response;
  headers.set("Access-Control-Allow-Methods", METHODS);
  headers.set("Access-Control-Allow-Headers", [REQUEST_HEADERS, ...more].join(", "));
  headers.set("Access-Control-Max-Age", PREFLIGHT_SECONDS);
  // Chrome requires this where a page from the Internet calls a local address.
  if (request.headers.has("access-control-request-private-network")) {
    headers.set("Access-Control-Allow-Private-Network", "true");
  }
  return allowOrigin(response, origin);
}

/** Lets pages of a listed origin read a response. */
export function allowOrigin(response: Response, origin: string): Response {
  response.headers.set("Access-Control-Allow-Origin", origin);
  response.headers.set("Access-Control-Expose-Headers", READABLE_HEADERS);
  response.headers.append("Vary", "Origin");
  return response;
}
