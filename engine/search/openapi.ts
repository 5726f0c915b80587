import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

const ABOUT =
  "The best match comes first. A message matches by all words of the query; where none does, by any word. Of each message the first 1 MiB is searched; records of tools are not.";
const FIELDS = {
  query: "The words to find. The first 8,000 characters count.",
  workspaceUuid: "Only messages of this workspace.",
  threadUuid: "Only messages of this thread.",
  limit: "The number of messages at most: 1 to 50, by default 20.",
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
    MessageSearch: { about: "A search, and where it looks.", fields: FIELDS },
    MessageHit: {
      about: "A message that was found.",
      fields: {
        messageUuid: "The uuid of the message.",
        threadUuid: "The uuid of its thread.",
        workspaceUuid: "The uuid of its workspace.",
        threadTitle: "The title of its thread; null where it has none.",
        role: "Who wrote it.",
        createdAt: "When it was stored, ISO-8601 in UTC.",
        snippet: "An excerpt around a word that was found, at most 300 characters.",
        score: "How well it matches; higher is better.",
      },
    },
  },
};
