import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `audit/`. */
export const auditTexts: SliceTexts = {
  tag: "events",
  about: "The user's own audit trail.",
  operations: {
    "GET /auth/events": {
      id: "listEvents",
      summary: "List what happened to the user's own account, newest first",
    },
  },
};
