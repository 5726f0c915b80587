import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `status/`. */
export const statusTexts: SliceTexts = {
  tag: "status",
  about: "What the engine does now, and what is wrong with it.",
  operations: {
    "GET /status": {
      id: "getStatus",
      summary: "Get what the engine does now",
      about:
        "Cheap enough to be asked every few seconds. With `findings=true` it also looks at what the engine needs, as `doctor` does, " +
        "in less than two seconds; that changes nothing, and asks no model.",
      parameters: { findings: "`true` adds the findings of the checks." },
    },
  },
  schemas: {
    EngineStatus: {
      about: "What the engine does now.",
      fields: {
        version: "The version of the engine.",
        startedAt: "The start of this process, ISO 8601.",
        uptimeSeconds: "Whole seconds since the start.",
        clients: "Open connections of clients.",
        "clients.sockets": "WebSockets.",
        "clients.eventStreams": "Readers of `/stream` and `/changes`.",
        memory: "The memory of the process.",
        "memory.residentBytes": "What the system gave it, threads included.",
        "memory.heapBytes": "What the main thread uses of its JavaScript heap.",
        requests: "Requests since the start, refused ones included.",
        findings: "The checks, unless they were not asked for.",
      },
    },
    Finding: {
      about: "The result of one check.",
      fields: {
        check: "What was looked at.",
        state: "`failure` where the engine does not work or loses data.",
        detail: "What was found, as a sentence.",
        cure: "What to do, as a sentence; null where nothing is to do.",
      },
    },
  },
};
