import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `sessions/`. */
export const sessionTexts: SliceTexts = {
  tag: "sessions",
  about: "Sessions and their tokens.",
  operations: {
    "GET /auth/sessions": { id: "listSessions", summary: "List where the user is signed in" },
    "DELETE /auth/sessions/{id}": {
      id: "deleteSession",
      summary: "End one of the user's own sessions",
      parameters: { id: "The id of the session." },
    },
  },
};
