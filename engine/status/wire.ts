import { z } from "@hono/zod-openapi";

const Finding = z
  .object({
    check: z.string(),
    state: z.enum(["ok", "warning", "failure"]),
    detail: z.string(),
    cure: z.string().nullable(),
  })
  .openapi("Finding");

export const EngineStatus = z
  .object({
    version: z.string(),
    startedAt: z.string(),
    uptimeSeconds: z.int(),
    clients: z.object({ sockets: z.int(), eventStreams: z.int() }),
    memory: z.object({ residentBytes: z.int(), heapBytes: z.int() }),
    requests: z.int(),
    findings: z.array(Finding).nullable(),
  })
  .openapi("EngineStatus");

export const StatusQuery = z.object({
  findings: z.enum(["true", "false"]).optional(),
});
