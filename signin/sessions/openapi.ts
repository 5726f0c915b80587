import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `sessions/`. */
export const sessionTexts: SliceTexts = {
  tag: "sessions",
  about: "Sessions and their tokens.",
  operations: {
    "GET /auth/sessions": {
      id: "listSessions",
      summary: "List where the user is signed in",
      about: "The session of this request is marked as current.",
    },
    "DELETE /auth/sessions/{id}": {
      id: "deleteSession",
      summary: "End one of the user's own sessions",
      about: "Its tokens are refused from now on.",
      parameters: { id: "The id of the session." },
    },
  },
  schemas: {
    Session: {
      about: "One place where the user is signed in.",
      fields: {
        id: "The id of the session.",
        kind: "How it began.",
        created_at: "When it began, ISO-8601 in UTC.",
        last_seen_at: "When it was last used, ISO-8601 in UTC.",
        current: "Whether this request belongs to it.",
      },
    },
    SessionList: {
      about: "The live sessions of the user.",
      fields: {
        sessions: "The sessions.",
      },
    },
  },
};
