import { errors, ok } from "../../shared/http/responses.ts";
import { get } from "../../shared/http/route.ts";
import type { EngineDeps } from "../deps.ts";
import { createRouter } from "../http/router.ts";
import { sumUsage } from "./usage-store.ts";
import { toUsageRange, Usage, UsageQuery } from "./usage-wire.ts";

/** What turns used; additive. */
export function usageRoutes({ db, clock }: Pick<EngineDeps, "db" | "clock">) {
  return createRouter({ details: true, tag: "turns" }, [
    get("/usage", {
      operationId: "getUsage",
      summary: "Sum the turns and tokens of days, models, workspaces or threads",
      description:
        "Turns count on the UTC day on which they began, also those of deleted threads. At most 1,000 groups: the newest days, or the largest of the others.",
      request: { query: UsageQuery },
      responses: { ...ok(Usage), ...errors(400) },
      handler: async (c) => {
        const { groupBy, ...range } = c.req.valid("query");
        return c.json(await sumUsage(db, { groupBy, ...toUsageRange(range, clock.now()) }), 200);
      },
    }),
  ]);
}
