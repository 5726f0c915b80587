import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `accounts/`. */
export const accountTexts: SliceTexts = {
  tag: "account",
  about: "The user's own account.",
  operations: {
    "GET /auth/me": { id: "getMe", summary: "Get the current user and its connections" },
    "GET /auth/providers": {
      id: "listProviders",
      summary: "List the providers that can be connected, and those that are",
    },
  },
};
