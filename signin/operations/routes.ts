import { createRoute } from "@hono/zod-openapi";
import { errors, ok } from "../../shared/http/responses.ts";
import type { SigninConfig } from "../config/config.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { createHashCost } from "./hash-cost.ts";
import { HEALTH } from "./health.ts";
import { requireCurrentSchema } from "./schema-state.ts";
import { Health, OpenApiDocument, Ready } from "./wire.ts";

const getHealth = createRoute({
  method: "get",
  path: "/health",
  security: [],
  responses: { ...ok(Health) },
});

const getReady = createRoute({
  method: "get",
  path: "/ready",
  security: [],
  responses: { ...ok(Ready), ...errors(503) },
});

const getDocument = createRoute({
  method: "get",
  path: "/openapi.json",
  security: [],
  responses: { ...ok(OpenApiDocument) },
});

/** `GET /health`, `GET /ready`, `GET /openapi.json`. */
export function operationsRoutes({ baseUrl }: Pick<SigninConfig, "baseUrl">) {
  const hashCost = createHashCost();
  return createRouter()
    .openapi(getHealth, (c) => c.json(HEALTH, 200))
    .openapi(getDocument, async (c) => {
      // Evaluated at the first request: a start does not pay for it.
      const { default: document } = await import("../openapi.json", { with: { type: "json" } });
      return c.json({ ...document, servers: [{ url: baseUrl }] }, 200);
    })
    .openapi(getReady, async (c) => {
      const scope = scopeOf(c);
      await requireCurrentSchema(scope.db);
      return c.json({ status: "ready" as const, hash_ms: await hashCost.read(scope) }, 200);
    });
}
