import type { OpenAPIHono } from "@hono/zod-openapi";
import type { BodyFault } from "../../shared/http/json-body.ts";
import type { Route } from "../../shared/http/route.ts";
import { createRouter as createSharedRouter } from "../../shared/http/router.ts";
import { failure, invalidRequest } from "../errors.ts";
import { BODY_BYTES_MAX } from "../limits.ts";

/**
 * A router of the sign-in server. Bodies are snake_case JSON of at most 16 KiB, with its content type. `tag` is one of those in
 * `signin/openapi.ts`.
 */
export function createRouter(tag: string, routes: readonly Route[]): OpenAPIHono {
  const router = createSharedRouter({
    bodyBytesMax: BODY_BYTES_MAX,
    snakeCase: false,
    invalid: (details) => invalidRequest(details),
    unreadable: (fault) =>
      fault === "too_large" ? failure("payload_too_large") : invalidRequest(FAULTS[fault]),
    checkBody: requireJsonType,
  });
  for (const route of routes) route(router, tag);
  return router;
}

const FAULTS: Record<Exclude<BodyFault, "too_large">, string> = {
  not_utf8: "body: is not valid UTF-8",
  not_json: "body: is not valid JSON",
};

// A form of another site can send other types without a preflight.
function requireJsonType(headers: Headers): void {
  const [type = ""] = (headers.get("content-type") ?? "").split(";", 1);
  if (type.trim().toLowerCase() !== "application/json") throw failure("unsupported_media_type");
}
