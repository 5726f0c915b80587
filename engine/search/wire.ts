import { z } from "@hono/zod-openapi";
import { limitUpTo } from "../http/page.ts";
import { MESSAGE_SEARCH_LIMIT_DEFAULT, MESSAGE_SEARCH_LIMIT_MAX } from "./limits.ts";

/** A search in the query of a request. */
export const MessageSearchQuery = z.object({
  query: z.string().min(1),
  workspaceUuid: z.string().optional(),
  threadUuid: z.string().optional(),
  limit: limitUpTo(MESSAGE_SEARCH_LIMIT_MAX).default(MESSAGE_SEARCH_LIMIT_DEFAULT),
});

/** A search in a body, where a query is too long for an address. */
export const MessageSearchBody = z
  .object({
    query: z.string().min(1),
    workspaceUuid: z.string().nullish(),
    threadUuid: z.string().nullish(),
    limit: z.int().min(1).max(MESSAGE_SEARCH_LIMIT_MAX).default(MESSAGE_SEARCH_LIMIT_DEFAULT),
  })
  .openapi("MessageSearch");

export type MessageSearch = z.infer<typeof MessageSearchBody>;

/** A message that a search found; `score` is higher for a better one. */
export const MessageHit = z
  .object({
    messageUuid: z.string(),
    threadUuid: z.string(),
    workspaceUuid: z.string(),
    threadTitle: z.string().nullable(),
    role: z.enum(["user", "assistant", "system"]),
    createdAt: z.iso.datetime(),
    snippet: z.string(),
    score: z.number(),
  })
  .openapi("MessageHit");
export type MessageHit = z.infer<typeof MessageHit>;
