import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `audit/`. */
export const auditTexts: SliceTexts = {
  tag: "events",
  about: "The user's own audit trail.",
  operations: {
    "GET /auth/events": {
      id: "listEvents",
      summary: "List what happened to the user's own account, newest first",
      about: "At most the last 100. Addresses of clients are shortened.",
    },
  },
  schemas: {
    SigninEvent: {
      about: "One thing that happened to the account. What an event does not have is null.",
      fields: {
        at: "When it happened, ISO-8601 in UTC.",
        type: "What happened, such as `session.created`.",
        outcome: "Whether it succeeded.",
        session_id: "The session that it happened in.",
        network: "The shortened address of the client.",
        user_agent: "The program of the client, as it names itself.",
        detail: "More facts, by name; which ones depends on the type.",
      },
    },
    SigninEventList: {
      about: "What happened to the account.",
      fields: {
        events: "At most 100 events, newest first.",
      },
    },
  },
};
