import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `operations/`. */
export const operationsTexts: SliceTexts = {
  tag: "system",
  about: "The health of the server, and its document.",
  operations: {
    "GET /health": {
      id: "getHealth",
      summary: "Check that the program runs",
      about: "It does not use the database; `GET /ready` does.",
    },
    "GET /ready": {
      id: "getReadiness",
      summary: "Check that the server can serve requests",
      about: "200 where the database responds and has the current schema, else 503.",
    },
    "GET /openapi.json": {
      id: "getDocument",
      summary: "Get this document",
      about: "An OpenAPI 3.1 document. It is the file `openapi.json` of this version.",
    },
  },
  schemas: {
    Health: {
      about: "The state of the program.",
      fields: {
        status: "Always `ok`.",
        version: "The version of the program.",
      },
    },
    Ready: {
      about: "The server can serve requests.",
      fields: {
        status: "Always `ready`.",
        hash_ms: "The time of one password hash here, in milliseconds; null until it was measured.",
      },
    },
    OpenApiDocument: {
      about: "An OpenAPI 3.1 document.",
    },
  },
};
