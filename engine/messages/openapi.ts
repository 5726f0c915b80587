import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `messages/`. */
export const messageTexts: SliceTexts = {
  tag: "messages",
  about: "Messages: what a thread holds.",
  operations: {
    "GET /threads/{uuid}/messages": {
      id: "listMessages",
      summary: "List the messages of a thread, oldest first",
      about: "An unknown thread has none.",
    },
    "POST /messages": {
      id: "createMessage",
      summary: "Store a message as given",
      about: "Runs no agent. Publishes `message.created`.",
    },
  },
};
