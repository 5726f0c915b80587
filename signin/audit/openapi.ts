import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `audit/`. */
export const auditTexts: SliceTexts = {
  tag: "events",
  about: "The user's own audit trail.",
  operations: {
    "GET /auth/events": {
      id: "listEvents",
      summary: "List the events of the user's own account, newest first",
      about:
        "The last 100 at most, of which at most 25 are codes sent or attempts refused. Addresses of clients are shortened.",
    },
  },
  schemas: {
    SigninEvent: {
      about: "One event of the account. A field that does not apply is null.",
      fields: {
        at: "When it happened, ISO-8601 in UTC.",
        type: "What happened, such as `session.created`.",
        outcome: "Whether it succeeded.",
        session_id: "The id of its session.",
        network: "The shortened address of the client.",
        user_agent: "The `User-Agent` header of the client, at most 256 characters.",
        detail: "Further facts by name, depending on the type.",
      },
    },
    SigninEventList: {
      about: "The last events of the account.",
      fields: {
        events: "At most 100 events, newest first.",
      },
    },
  },
};
