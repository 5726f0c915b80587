import { z } from "@hono/zod-openapi";
import type { Database } from "../../shared/database.ts";
import { body, errors, jsonText, ok } from "../../shared/http/responses.ts";
import { readList } from "../db/list.ts";
import type { EngineDeps } from "../deps.ts";
import { invalid } from "../errors.ts";
import { nextLink, pageQuery } from "../http/page.ts";
import { get, post } from "../http/route.ts";
import { createRouter } from "../http/router.ts";
import { UuidParam } from "../http/wire.ts";
import { PAGE_ENTRIES_MAX } from "../limits.ts";
import { appendMessage } from "./append.ts";
import { findMessagePlace, findPageEnd, messagesOf, messagesWithin } from "./store.ts";
import { CreateMessage, Message } from "./wire.ts";

const MessagesQuery = pageQuery({
  limit: "The number of messages at most: 1 to 1,000. The page has the newest ones.",
  before: "The uuid of a message of the thread; the page has older ones.",
});

/** Messages (Engine §4). */
export function messageRoutes(deps: Pick<EngineDeps, "db" | "clock" | "timers" | "events">) {
  return createRouter({ details: true, tag: "messages" }, [
    get("/threads/{uuid}/messages", {
      operationId: "listMessages",
      summary: "List the messages of a thread, oldest first",
      description:
        "The list of an unknown thread is empty. With `limit` or `before` the response is a page; its `Link` header has the address of the next page.",
      request: { params: UuidParam, query: MessagesQuery },
      responses: { ...ok(z.array(Message)), ...errors(400) },
      handler: async ({ uuid, limit, before }, c) => {
        if (limit === undefined && before === undefined) {
          return jsonText(await readList(deps, messagesOf(uuid)));
        }
        const { list, next } = await messagePage(deps.db, uuid, { limit, before });
        const headers = next === undefined ? {} : nextLink(c.req.url, { before: next });
        return jsonText(await readList(deps, list), headers);
      },
    }),
    post("/messages", {
      operationId: "createMessage",
      summary: "Store a message as given",
      description:
        "No model answers it; `POST /threads/{uuid}/turns` starts a turn. Publishes `message.created`.",
      request: body(CreateMessage),
      responses: { ...ok(Message), ...errors(400, 404) },
      handler: async ({ body }) => appendMessage(deps, body),
    }),
  ]);
}

/**
 * The newest messages, or those before a message, and the uuid before which the next page lies; undefined if nothing is left.
 * @throws EngineError `invalid` if `before` is no message of the thread.
 */
async function messagePage(
  db: Database,
  threadUuid: string,
  { limit = PAGE_ENTRIES_MAX, before }: z.infer<typeof MessagesQuery>,
) {
  const place = before === undefined ? undefined : await findMessagePlace(db, threadUuid, before);
  if (before !== undefined && !place) {
    throw invalid("The request is not valid.", "before: is not a message of this thread");
  }
  const { end, isLast } = await findPageEnd(db, threadUuid, { limit, below: place });
  return { list: messagesWithin(threadUuid, end, place), next: isLast ? undefined : end?.uuid };
}
