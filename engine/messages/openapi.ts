import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `messages/`. */
export const messageTexts: SliceTexts = {
  tag: "messages",
  about: "Messages: what a thread holds.",
  operations: {
    "GET /threads/{uuid}/messages": {
      id: "listMessages",
      summary: "List the messages of a thread, oldest first",
      about:
        "An unknown thread has none. With a parameter the answer is a page of at most 1,000, and `Link` leads to the next one.",
      parameters: {
        limit: "How many messages the page has: the newest ones.",
        before: "The uuid of a message of the thread; the page has what is older.",
      },
    },
    "POST /messages": {
      id: "createMessage",
      summary: "Store a message as given",
      about: "Runs no agent. Publishes `message.created`.",
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
