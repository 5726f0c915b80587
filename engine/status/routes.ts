import { toIsoTime } from "../../shared/clock.ts";
import { errors, ok } from "../../shared/http/responses.ts";
import { examineRunning } from "../checks/running-checks.ts";
import type { EngineDeps } from "../deps.ts";
import { get } from "../http/route.ts";
import { createRouter } from "../http/router.ts";
import { VERSION } from "../version.ts";
import { EngineStatus, StatusQuery } from "./wire.ts";

/** What other parts of the engine count. */
type Counts = Record<"requests" | "sockets" | "eventStreams", () => number>;

const MS_PER_SECOND = 1000;

/** `GET /status`: what the console shows of the engine; additive. */
export function statusRoutes(deps: Pick<EngineDeps, "config" | "db" | "clock">, counts: Counts) {
  const startedMs = deps.clock.now();
  return createRouter({ details: true, tag: "status" }, [
    get("/status", {
      operationId: "getStatus",
      summary: "Get what the engine does now",
      description:
        "Cheap enough to be asked every few seconds. With `findings=true` it also looks at what the engine needs, as `doctor` does, in less than two seconds; that changes nothing, and asks no model.",
      request: { query: StatusQuery },
      responses: { ...ok(EngineStatus), ...errors(400) },
      handler: async ({ findings }, c) => {
        const found = findings === "true" ? await examineRunning(deps, c.req.raw.signal) : null;
        const { rss, heapUsed } = process.memoryUsage();
        return {
          version: VERSION,
          startedAt: toIsoTime(startedMs),
          uptimeSeconds: Math.floor((deps.clock.now() - startedMs) / MS_PER_SECOND),
          clients: { sockets: counts.sockets(), eventStreams: counts.eventStreams() },
          memory: { residentBytes: rss, heapBytes: heapUsed },
          requests: counts.requests(),
          findings: found,
        };
      },
    }),
  ]);
}
