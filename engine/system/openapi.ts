import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `system/`. */
export const systemTexts: SliceTexts = {
  tag: "system",
  about: "The health of the engine, and its document.",
  operations: {
    "GET /health": {
      id: "getHealth",
      summary: "Get the health of the engine",
      about: "The only operation without a bearer. It does not use the database.",
    },
    "GET /openapi.json": {
      id: "getDocument",
      summary: "Get this document",
      about: "An OpenAPI 3.1 document. It is the file `openapi.json` of this version.",
    },
    "POST /agui": {
      id: "runAgui",
      summary: "Call the placeholder of AG-UI, which always responds the same",
      about: "Clients must not use it: chat runs over turns and over the WebSocket.",
      ignoresBody: true,
    },
  },
  schemas: {
    Health: {
      about: "The state of the engine.",
      fields: {
        status: "Always `ok`.",
        version: "The version of the engine.",
      },
    },
    OpenApiDocument: {
      about: "An OpenAPI 3.1 document.",
    },
    AguiPlaceholder: {
      about: "The response of the placeholder.",
      fields: {
        message: "A sentence to show to the user.",
      },
    },
    ErrorBody: {
      about: "Why a request failed.",
      fields: {
        error: "A sentence to show to the user.",
        details: "The field and its rule, or what to do; absent for some errors.",
      },
    },
  },
};
