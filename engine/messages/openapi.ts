import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `messages/`. */
export const messageTexts: SliceTexts = {
  tag: "messages",
  about: "The messages of threads.",
  operations: {
    "GET /threads/{uuid}/messages": {
      id: "listMessages",
      summary: "List the messages of a thread, oldest first",
      about:
        "The list of an unknown thread is empty. With `limit` or `before` the response is a page; its `Link` header has the address of the next page.",
      parameters: {
        limit: "The number of messages at most: 1 to 1,000. The page has the newest ones.",
        before: "The uuid of a message of the thread; the page has older ones.",
      },
    },
    "POST /messages": {
      id: "createMessage",
      summary: "Store a message as given",
      about:
        "No model answers it; `POST /threads/{uuid}/turns` starts a turn. Publishes `message.created`.",
    },
  },
  schemas: {
    Message: {
      about: "A message of a thread.",
      fields: {
        uuid: "The uuid of the message.",
        threadUuid: "The uuid of its thread.",
        role: "Who wrote it; `tool` is the record of a tool call.",
        content: "The text; of a `tool` message a ToolRecord as JSON.",
        createdAt: "When it was stored, ISO-8601 in UTC.",
      },
    },
    CreateMessage: {
      about: "The fields of a new message.",
      like: "Message",
    },
  },
};
