import { z } from "@hono/zod-openapi";

const Finding = z
  .object({
    check: z.string().describe("What was looked at."),
    state: z
      .enum(["ok", "warning", "failure"])
      .describe("`failure` where the engine does not work or loses data."),
    detail: z.string().describe("What was found, as a sentence."),
    cure: z.string().nullable().describe("What to do, as a sentence; null where nothing is to do."),
  })
  .openapi("Finding", { description: "The result of one check." });

export const EngineStatus = z
  .object({
    version: z.string().describe("The version of the engine."),
    startedAt: z.string().describe("The start of this process, ISO 8601."),
    uptimeSeconds: z.int().describe("Whole seconds since the start."),
    clients: z
      .object({
        sockets: z.int().describe("WebSockets."),
        eventStreams: z.int().describe("Readers of `/stream` and `/changes`."),
      })
      .describe("Open connections of clients."),
    memory: z
      .object({
        residentBytes: z.int().describe("What the system gave it, threads included."),
        heapBytes: z.int().describe("What the main thread uses of its JavaScript heap."),
      })
      .describe("The memory of the process."),
    requests: z.int().describe("Requests since the start, refused ones included."),
    findings: z.array(Finding).nullable().describe("The checks, unless they were not asked for."),
  })
  .openapi("EngineStatus", { description: "What the engine does now." });

export const StatusQuery = z.object({
  findings: z
    .enum(["true", "false"])
    .optional()
    .describe("`true` adds the findings of the checks."),
});
