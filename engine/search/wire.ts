import { z } from "@hono/zod-openapi";
import { field, object } from "../http/fields.ts";
import { limitUpTo } from "../http/page.ts";
import { withTextsOf } from "../http/wire.ts";
import { MESSAGE_SEARCH_LIMIT_DEFAULT, MESSAGE_SEARCH_LIMIT_MAX } from "./limits.ts";

/** A search in a body, if a query is too long for an address. */
export const MessageSearchBody = object({
  query: z.string().min(1).describe("The words to find. The first 8,000 characters count."),
  workspaceUuid: z.string().nullish().describe("Only messages of this workspace."),
  threadUuid: z.string().nullish().describe("Only messages of this thread."),
  limit: z
    .int()
    .min(1)
    .max(MESSAGE_SEARCH_LIMIT_MAX)
    .default(MESSAGE_SEARCH_LIMIT_DEFAULT)
    .describe("The number of messages at most: 1 to 50, by default 20."),
}).openapi("MessageSearch", { description: "A search, and where it looks." });

/** A search in the query of a request. */
export const MessageSearchQuery = withTextsOf(MessageSearchBody, {
  query: z.string().min(1),
  workspaceUuid: z.string().optional(),
  threadUuid: z.string().optional(),
  limit: limitUpTo(MESSAGE_SEARCH_LIMIT_MAX).default(MESSAGE_SEARCH_LIMIT_DEFAULT),
});

export type MessageSearch = z.infer<typeof MessageSearchBody>;

/** A message that a search found; `score` is higher for a better one. */
export const MessageHit = object({
  messageUuid: field.text("The uuid of the message."),
  threadUuid: field.text("The uuid of its thread."),
  workspaceUuid: field.text("The uuid of its workspace."),
  threadTitle: field.nullableText("The title of its thread; null where it has none."),
  role: field.choice(["user", "assistant", "system"], "Who wrote it."),
  createdAt: field.time("When it was stored, ISO-8601 in UTC."),
  snippet: field.text("An excerpt around a word that was found, at most 300 characters."),
  score: z.number().describe("How well it matches; higher is better."),
}).openapi("MessageHit", { description: "A message that was found." });
export type MessageHit = z.infer<typeof MessageHit>;
