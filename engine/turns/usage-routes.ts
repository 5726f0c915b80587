import { createRoute } from "@hono/zod-openapi";
import { errors, ok } from "../../shared/http/responses.ts";
import type { EngineDeps } from "../deps.ts";
import { createRouter } from "../http/router.ts";
import { sumUsage, type UncountedTurns } from "./usage-store.ts";
import { toUsageRange, Usage, UsageQuery } from "./usage-wire.ts";

const getUsage = createRoute({
  method: "get",
  path: "/usage",
  request: { query: UsageQuery },
  responses: { ...ok(Usage), ...errors(400) },
});

/** What turns used; additive. */
export function usageRoutes(
  { db, clock }: Pick<EngineDeps, "db" | "clock">,
  turns: UncountedTurns,
) {
  return createRouter({ details: true }).openapi(getUsage, async (c) => {
    const { groupBy, ...range } = c.req.valid("query");
    return c.json(await sumUsage(db, turns, { groupBy, ...toUsageRange(range, clock.now()) }), 200);
  });
}
