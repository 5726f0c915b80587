import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `operations/`. */
export const operationsTexts: SliceTexts = {
  tag: "system",
  about: "Whether the server answers, and what it offers.",
  operations: {
    "GET /health": {
      id: "getHealth",
      summary: "Get whether the program answers",
      about: "Says nothing about the database; `GET /ready` does.",
    },
    "GET /ready": {
      id: "getReadiness",
      summary: "Get whether the server can do its work",
      about: "The database answers and has the right schema.",
    },
    "GET /openapi.json": {
      id: "getDocument",
      summary: "Get this document",
      about: "An OpenAPI 3.1 document. It is the file `openapi.json` of this version.",
    },
  },
  schemas: {
    Health: {
      about: "That the program answers.",
      fields: {
        status: "Always `ok`.",
        version: "The version of the program.",
      },
    },
    Ready: {
      about: "That the server can do its work.",
      fields: {
        status: "Always `ready`.",
        hash_ms: "What hashing one password costs here, in milliseconds; null until that is known.",
      },
    },
    OpenApiDocument: {
      about: "An OpenAPI 3.1 document.",
    },
  },
};
