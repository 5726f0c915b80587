import { z } from "@hono/zod-openapi";

/** The provider of a path. Each route decides which ones it accepts. */
export const ProviderParam = z.object({
  provider: z.string().describe("The slug of the provider, such as `google`."),
});
