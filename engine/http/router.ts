import type { OpenAPIHono } from "@hono/zod-openapi";
import type { BodyFault } from "../../shared/http/json-body.ts";
import type { Route } from "../../shared/http/route.ts";
import { createRouter as createSharedRouter } from "../../shared/http/router.ts";
import { type EngineError, invalid, tooLarge } from "../errors.ts";
import { BODY_BYTES_MAX } from "../limits.ts";

/**
 * A router of the engine: bodies in camelCase or snake_case, with any Content-Type. Settings, models, tools and retrieval
 * report schema failures without `details` (Engine §7): there the sentence is the error itself. `tag` is one of those in `engine/openapi.ts`.
 */
export function createRouter(
  { details, tag }: { details: boolean; tag: string },
  routes: readonly Route[],
): OpenAPIHono {
  const router = createSharedRouter({
    bodyBytesMax: BODY_BYTES_MAX,
    snakeCase: true,
    invalid: (sentence) =>
      details ? invalid("The request is not valid.", sentence) : invalid(`${sentence}.`),
    unreadable: (fault) => unreadable(fault, details),
  });
  for (const route of routes) route(router, tag);
  return router;
}

const FAULTS: Record<BodyFault, string> = {
  too_large: "The body is larger than 16 MiB.",
  not_utf8: "The body is not valid UTF-8.",
  not_json: "The body is not valid JSON.",
};

function unreadable(fault: BodyFault, details: boolean): EngineError {
  if (fault === "too_large") return tooLarge(FAULTS.too_large);
  return details ? invalid("The request is not valid.", FAULTS[fault]) : invalid(FAULTS[fault]);
}
