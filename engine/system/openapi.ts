import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `system/`. */
export const systemTexts: SliceTexts = {
  tag: "system",
  about: "Whether the engine answers, and what it offers.",
  operations: {
    "GET /health": {
      id: "getHealth",
      summary: "Get the health of the engine; the only operation without a bearer",
      about: "Also answers while the database is busy.",
    },
    "GET /openapi.json": {
      id: "getDocument",
      summary: "Get this document",
      about: "An OpenAPI 3.1 document. It is the file `openapi.json` of this version.",
    },
    "POST /agui": {
      id: "runAgui",
      summary: "Call the placeholder of AG-UI; do not integrate",
      about: "The answer is always the same sentence. Chat runs over turns and over the WebSocket.",
      ignoresBody: true,
    },
  },
  schemas: {
    Health: {
      about: "That the engine answers.",
      fields: {
        status: "Always `ok`.",
        version: "The version of the engine.",
      },
    },
    OpenApiDocument: {
      about: "An OpenAPI 3.1 document.",
    },
    AguiPlaceholder: {
      about: "The answer of the placeholder.",
      fields: {
        message: "The sentence for a person.",
      },
    },
    ErrorBody: {
      about: "Why a request failed.",
      fields: {
        error: "A sentence for a person.",
        details: "The field and the rule, or the way out; not every failure has it.",
      },
    },
  },
};
