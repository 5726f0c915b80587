import { createRoute } from "@hono/zod-openapi";
import { errors, ok } from "../../shared/http/responses.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { VERSION } from "../version.ts";
import { createHashCost } from "./hash-cost.ts";
import { requireCurrentSchema } from "./schema-state.ts";
import { Health, Ready } from "./wire.ts";

const getHealth = createRoute({
  method: "get",
  path: "/health",
  summary: "Whether the program answers",
  security: [],
  responses: { ...ok(Health) },
});

const getReady = createRoute({
  method: "get",
  path: "/ready",
  summary: "Whether it can do its work: the database answers and has the right schema",
  security: [],
  responses: { ...ok(Ready), ...errors(503) },
});

/** What a load balancer and an operator ask. */
export function operationsRoutes() {
  const hashCost = createHashCost();
  return createRouter()
    .openapi(getHealth, (c) => c.json({ status: "ok" as const, version: VERSION }, 200))
    .openapi(getReady, async (c) => {
      const scope = scopeOf(c);
      await requireCurrentSchema(scope.db);
      return c.json({ status: "ready" as const, hash_ms: await hashCost.read(scope) }, 200);
    });
}
