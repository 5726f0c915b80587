import { z } from "@hono/zod-openapi";

/** `GET /health`: the program runs. */
export const Health = z.object({ status: z.literal("ok"), version: z.string() }).openapi("Health");

/** `GET /openapi.json`: OpenAPI 3.1. */
export const OpenApiDocument = z.record(z.string(), z.unknown()).openapi("OpenApiDocument");

/** `GET /ready`: it can serve requests. `hash_ms` is the time of one password hash; null until it was measured. */
export const Ready = z
  .object({ status: z.literal("ready"), hash_ms: z.number().nullable() })
  .openapi("Ready");
