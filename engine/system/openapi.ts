import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `system/`. */
export const systemTexts: SliceTexts = {
  tag: "system",
  about: "Whether the engine answers, and what it offers.",
  operations: {
    "GET /health": {
      id: "getHealth",
      summary: "Get the health of the engine; the only operation without a bearer",
    },
    "GET /openapi.json": { id: "getDocument", summary: "Get this document" },
    "POST /agui": {
      id: "runAgui",
      summary: "Call the placeholder of AG-UI; do not integrate",
      about: "The answer is always the same sentence. Chat runs over turns and over the WebSocket.",
      ignoresBody: true,
    },
  },
};
