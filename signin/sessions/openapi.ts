import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `sessions/`. */
export const sessionTexts: SliceTexts = {
  tag: "sessions",
  about: "Sessions and their tokens.",
  operations: {
    "GET /auth/sessions": {
      id: "listSessions",
      summary: "List the sessions of the user",
      about: "The session of this request is marked as current.",
    },
    "DELETE /auth/sessions/{id}": {
      id: "deleteSession",
      summary: "End one of the user's own sessions",
      about: "Its tokens are invalid from then on.",
      parameters: { id: "The id of the session." },
    },
  },
  schemas: {
    Session: {
      about: "A session of the user.",
      fields: {
        id: "The id of the session.",
        kind: "The kind of sign-in that began it.",
        created_at: "When it began, ISO-8601 in UTC.",
        last_seen_at: "When it was last used, ISO-8601 in UTC.",
        network: "The network that it began in, shortened; null where it is unknown.",
        user_agent: "The `User-Agent` that it began with; null where there was none.",
        current: "Whether it is the session of this request.",
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
