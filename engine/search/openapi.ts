import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

const ABOUT =
  "Best first: messages with every word of the query, or with any where none has all. Tool records are left out.";
const FIELDS = {
  query: "The words to find. The first 8,000 characters count.",
  workspaceUuid: "Only messages of this workspace.",
  threadUuid: "Only messages of this thread.",
  limit: "How many messages come at most.",
};

/** What the OpenAPI document says of `search/`. */
export const searchTexts: SliceTexts = {
  tag: "search",
  about: "Search over the messages of all threads.",
  operations: {
    "GET /search/messages": {
      id: "searchMessages",
      summary: "Find messages by their words",
      about: ABOUT,
      parameters: FIELDS,
    },
    "POST /search/messages": {
      id: "searchMessagesByBody",
      summary: "Find messages by the words of a long query",
      about: ABOUT,
    },
  },
  schemas: {
    MessageSearch: { about: "What to find, and where.", fields: FIELDS },
    MessageHit: {
      about: "A message that was found.",
      fields: {
        messageUuid: "The uuid of the message.",
        threadUuid: "The uuid of its thread.",
        workspaceUuid: "The uuid of its workspace.",
        threadTitle: "The title of its thread.",
        role: "Who wrote it.",
        createdAt: "When it was stored.",
        snippet: "A piece of the message that holds the word, at most 300 characters.",
        score: "How well it fits; higher is better.",
      },
    },
  },
};
