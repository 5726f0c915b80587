import { z } from "@hono/zod-openapi";

/** `GET /health`: the program runs. */
export const Health = z
  .object({
    status: z.literal("ok").describe("Always `ok`."),
    version: z.string().describe("The version of the program."),
  })
  .openapi("Health", { description: "The state of the program." });

/** `GET /openapi.json`: OpenAPI 3.1. */
export const OpenApiDocument = z
  .record(z.string(), z.unknown())
  .openapi("OpenApiDocument", { description: "An OpenAPI 3.1 document." });

/** `GET /ready`: it can serve requests. `hash_ms` is the time of one password hash; null until it was measured. */
export const Ready = z
  .object({
    status: z.literal("ready").describe("Always `ready`."),
    hash_ms: z
      .number()
      .nullable()
      .describe("The time of one password hash here, in milliseconds; null until it was measured."),
  })
  .openapi("Ready", { description: "The server can serve requests." });
