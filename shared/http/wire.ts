import { z } from "@hono/zod-openapi";

/** Every error body of both programs begins with these two fields (Engine §2, core objects). */
export const ErrorBody = z
  .object({ error: z.string(), details: z.string().optional() })
  .openapi("ErrorBody");
export type ErrorBody = z.infer<typeof ErrorBody>;
