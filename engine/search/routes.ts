import { z } from "@hono/zod-openapi";
import { body, errors, ok } from "../../shared/http/responses.ts";
import type { EngineDeps } from "../deps.ts";
import { get, post } from "../http/route.ts";
import { createRouter } from "../http/router.ts";
import type { MessageIndex } from "./message-index.ts";
import { searchMessages } from "./search.ts";
import { MessageHit, MessageSearchBody, MessageSearchQuery } from "./wire.ts";

const DESCRIPTION =
  "The best match comes first. A message matches by all words of the query; where none does, by any word. Of each message the first 1 MiB is searched; records of tools are not.";

/** Full text search over messages; additive. */
export function searchRoutes({ db }: Pick<EngineDeps, "db">, index: MessageIndex) {
  return createRouter({ details: true, tag: "search" }, [
    get("/search/messages", {
      operationId: "searchMessages",
      summary: "Find messages by their words",
      description: DESCRIPTION,
      request: { query: MessageSearchQuery },
      responses: { ...ok(z.array(MessageHit)), ...errors(400) },
      handler: (query) => searchMessages({ db, index }, query),
    }),
    post("/search/messages", {
      operationId: "searchMessagesByBody",
      summary: "Find messages by the words of a long query",
      description: DESCRIPTION,
      request: body(MessageSearchBody),
      responses: { ...ok(z.array(MessageHit)), ...errors(400) },
      handler: ({ body }) => searchMessages({ db, index }, body),
    }),
  ]);
}
