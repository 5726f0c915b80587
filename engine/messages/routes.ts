import { createRoute, z } from "@hono/zod-openapi";
import { body, errors, jsonText, ok } from "../../shared/http/responses.ts";
import { readList } from "../db/list.ts";
import type { EngineDeps } from "../deps.ts";
import { createRouter } from "../http/router.ts";
import { UuidParam } from "../http/wire.ts";
import { appendMessage } from "./append.ts";
import { messagesOf } from "./store.ts";
import { CreateMessage, Message } from "./wire.ts";

const getMessages = createRoute({
  method: "get",
  path: "/threads/{uuid}/messages",
  request: { params: UuidParam },
  responses: { ...ok(z.array(Message)) },
});

const postMessage = createRoute({
  method: "post",
  path: "/messages",
  request: { ...body(CreateMessage) },
  responses: { ...ok(Message), ...errors(400, 404) },
});

/** Messages (Engine §4). */
export function messageRoutes(deps: Pick<EngineDeps, "db" | "clock" | "timers" | "events">) {
  return createRouter({ details: true, nulAllowed: true })
    .openapi(getMessages, async (c) =>
      jsonText<Message[]>(await readList(deps, messagesOf(c.req.valid("param").uuid))),
    )
    .openapi(postMessage, async (c) => c.json(await appendMessage(deps, c.req.valid("json")), 200));
}
