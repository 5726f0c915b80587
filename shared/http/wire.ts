import { z } from "@hono/zod-openapi";

/** Every error body of both programs begins with these two fields (Engine §2, core objects). */
export const ErrorBody = z
  .object({
    error: z.string().describe("A sentence to show to the user."),
    details: z
      .string()
      .optional()
      .describe("The field and its rule, or what to do; absent for some errors."),
  })
  .openapi("ErrorBody", { description: "Why a request failed." });
export type ErrorBody = z.infer<typeof ErrorBody>;
