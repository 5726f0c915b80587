import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `tools/`. */
export const toolTexts: SliceTexts = {
  tag: "tools",
  about: "The built-in tools, and the registry of configured ones.",
  operations: {
    "GET /tools/catalog": {
      id: "getToolCatalog",
      summary: "Get the built-in tools by group, and the configured ones",
    },
    "GET /tool-registry": {
      id: "listTools",
      summary: "List the configured tools, sorted by alias or name",
    },
    "POST /tool-registry": {
      id: "createTool",
      summary: "Register a tool",
      about: "Its auth configuration is write-only: no answer holds it.",
    },
    "GET /tool-registry/{uuid}": { id: "getTool", summary: "Get a configured tool" },
    "PUT /tool-registry/{uuid}": {
      id: "updateTool",
      summary: "Replace the fields of a configured tool",
      about: "Without an `authType` the auth configuration is removed.",
    },
    "DELETE /tool-registry/{uuid}": {
      id: "deleteTool",
      summary: "Delete a configured tool with its auth configuration",
    },
  },
};
