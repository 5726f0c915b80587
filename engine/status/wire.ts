import { z } from "@hono/zod-openapi";
import { field, object } from "../http/fields.ts";

const Finding = object({
  check: field.text("What was looked at."),
  state: field.choice(
    ["ok", "warning", "failure"],
    "`failure` where the engine does not work or loses data.",
  ),
  detail: field.text("What was found, as a sentence."),
  cure: field.nullableText("What to do, as a sentence; null where nothing is to do."),
}).openapi("Finding", { description: "The result of one check." });

export const EngineStatus = object({
  version: field.text("The version of the engine."),
  startedAt: field.text("The start of this process, ISO 8601."),
  uptimeSeconds: field.integer("Whole seconds since the start."),
  clients: object({
    sockets: field.integer("WebSockets."),
    eventStreams: field.integer("Readers of `/stream` and `/changes`."),
  }).describe("Open connections of clients."),
  memory: object({
    residentBytes: field.integer("What the system gave it, threads included."),
    heapBytes: field.integer("What the main thread uses of its JavaScript heap."),
  }).describe("The memory of the process."),
  requests: field.integer("Requests since the start, refused ones included."),
  findings: z.array(Finding).nullable().describe("The checks, unless they were not asked for."),
}).openapi("EngineStatus", { description: "What the engine does now." });

export const StatusQuery = object({
  findings: z
    .enum(["true", "false"])
    .optional()
    .describe("`true` adds the findings of the checks."),
});
