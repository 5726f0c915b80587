import { z } from "@hono/zod-openapi";

/** The fields of the user of an account, after the id. The engine shows what the sign-in server says. */
export const accountFields = {
  email: z.string().describe("The verified e-mail address."),
  display_name: z.string().nullable().describe("The name to show; null where there is none."),
  avatar_url: z.string().nullable().describe("The address of a picture; null where there is none."),
  connected_providers: z.array(z.string()).describe("The slugs of the connected providers."),
};

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
