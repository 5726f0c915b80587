import { z } from "@hono/zod-openapi";

/** `GET /health`: the program answers. */
export const Health = z.object({ status: z.literal("ok"), version: z.string() }).openapi("Health");

/** `GET /openapi.json`: OpenAPI 3.1. */
export const OpenApiDocument = z.record(z.string(), z.unknown()).openapi("OpenApiDocument");

/** `GET /ready`: it can do its work. `hash_ms` is what one password costs here; null until that is known. */
export const Ready = z
  .object({ status: z.literal("ready"), hash_ms: z.number().nullable() })
  .openapi("Ready");
