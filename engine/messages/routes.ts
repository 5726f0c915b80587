import { createRoute, z } from "@hono/zod-openapi";
import { body, errors, jsonText, ok } from "../../shared/http/responses.ts";
import { readList } from "../db/list.ts";
import type { EngineDeps } from "../deps.ts";
import { nextLink, PageQuery } from "../http/page.ts";
import { createRouter } from "../http/router.ts";
import { UuidParam } from "../http/wire.ts";
import { appendMessage } from "./append.ts";
import { messagePage } from "./page.ts";
import { messagesOf } from "./store.ts";
import { CreateMessage, Message } from "./wire.ts";

const getMessages = createRoute({
  method: "get",
  path: "/threads/{uuid}/messages",
  request: { params: UuidParam, query: PageQuery },
  responses: { ...ok(z.array(Message)), ...errors(400) },
});

const postMessage = createRoute({
  method: "post",
  path: "/messages",
  request: { ...body(CreateMessage) },
  responses: { ...ok(Message), ...errors(400, 404) },
});

/** Messages (Engine §4). */
export function messageRoutes(deps: Pick<EngineDeps, "db" | "clock" | "timers" | "events">) {
  return createRouter({ details: true })
    .openapi(getMessages, async (c) => {
      const { uuid } = c.req.valid("param");
      const { limit, before } = c.req.valid("query");
      if (limit === undefined && before === undefined) {
        return jsonText<Message[]>(await readList(deps, messagesOf(uuid)));
      }
      const { list, next } = await messagePage(deps.db, uuid, { limit, before });
      const headers = next === undefined ? {} : nextLink(c.req.url, { before: next });
      return jsonText<Message[]>(await readList(deps, list), headers);
    })
    .openapi(postMessage, async (c) => c.json(await appendMessage(deps, c.req.valid("json")), 200));
}
