import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `operations/`. */
export const operationsTexts: SliceTexts = {
  tag: "system",
  about: "Whether the server answers, and what it offers.",
  operations: {
    "GET /health": { id: "getHealth", summary: "Get whether the program answers" },
    "GET /ready": {
      id: "getReadiness",
      summary: "Get whether the server can do its work",
      about: "The database answers and has the right schema.",
    },
    "GET /openapi.json": { id: "getDocument", summary: "Get this document" },
  },
};
