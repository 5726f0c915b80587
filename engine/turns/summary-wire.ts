import { z } from "@hono/zod-openapi";

/** What models get in the place of the oldest messages of a thread; additive. */
export const ThreadSummary = z
  .object({
    text: z.string().describe("The summary."),
    throughMessageUuid: z.string().describe("The uuid of the last message that it covers."),
    tokens: z.int().describe("Its tokens, as the engine estimates them."),
    createdAt: z.iso.datetime().describe("When it was made, ISO-8601 in UTC."),
  })
  .openapi("ThreadSummary", { description: "The summary of the oldest messages of a thread." });
export type ThreadSummary = z.infer<typeof ThreadSummary>;
