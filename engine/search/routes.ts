import { createRoute, z } from "@hono/zod-openapi";
import { body, errors, ok } from "../../shared/http/responses.ts";
import type { EngineDeps } from "../deps.ts";
import { createRouter } from "../http/router.ts";
import type { MessageIndex } from "./message-index.ts";
import { searchMessages } from "./search.ts";
import { MessageHit, MessageSearchBody, MessageSearchQuery } from "./wire.ts";

const getSearch = createRoute({
  method: "get",
  path: "/search/messages",
  request: { query: MessageSearchQuery },
  responses: { ...ok(z.array(MessageHit)), ...errors(400) },
});

const postSearch = createRoute({
  method: "post",
  path: "/search/messages",
  request: { ...body(MessageSearchBody) },
  responses: { ...ok(z.array(MessageHit)), ...errors(400) },
});

/** Full text search over messages; additive. */
export function searchRoutes({ db }: Pick<EngineDeps, "db">, index: MessageIndex) {
  return createRouter({ details: true })
    .openapi(getSearch, async (c) => {
      return c.json(await searchMessages({ db, index }, c.req.valid("query")), 200);
    })
    .openapi(postSearch, async (c) => {
      return c.json(await searchMessages({ db, index }, c.req.valid("json")), 200);
    });
}
