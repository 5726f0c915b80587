import type { SliceTexts } from "../../shared/http/openapi-texts.ts";
import { AUTH_CONFIG } from "../policies/openapi.ts";

/** What the OpenAPI document says of `tools/`. */
export const toolTexts: SliceTexts = {
  tag: "tools",
  about: "The built-in tools, and the registry of configured ones.",
  operations: {
    "GET /tools/catalog": {
      id: "getToolCatalog",
      summary: "Get the built-in tools by group, and the configured ones",
      about: "The configured tools are the same as in `GET /tool-registry`.",
    },
    "GET /tool-registry": {
      id: "listTools",
      summary: "List the configured tools, sorted by alias or name",
      about: "Auth configurations are not shown; `hasAuthConfig` says whether one is stored.",
    },
    "POST /tool-registry": {
      id: "createTool",
      summary: "Register a tool",
      about: "Its auth configuration is write-only: no response has it.",
    },
    "GET /tool-registry/{uuid}": {
      id: "getTool",
      summary: "Get a configured tool",
      about: "Its auth configuration is not shown.",
    },
    "PUT /tool-registry/{uuid}": {
      id: "updateTool",
      summary: "Replace the fields of a configured tool",
      about: "Without an `authType` the auth configuration is removed.",
    },
    "DELETE /tool-registry/{uuid}": {
      id: "deleteTool",
      summary: "Delete a configured tool with its auth configuration",
      about: "A deletion cannot be undone.",
    },
  },
  schemas: {
    BuiltinTool: {
      about: "A tool that the engine runs itself.",
      fields: {
        name: "The name, as the model calls it.",
        doc: "What it does, as the model reads it.",
        operation: "What it does to data. The approval policy refers to it.",
      },
    },
    ToolCatalog: {
      about: "All tools.",
      fields: {
        builtin: "The built-in tools, by group.",
        configured: "The configured tools, sorted by alias or name.",
      },
    },
    ToolConfiguration: {
      about:
        "A configured tool: a record that chat does not run. An `mcp` tool is the exception: a workspace can switch its server on.",
      fields: {
        id: "The number of the tool in the database.",
        uuid: "The uuid of the tool.",
        name: "The name.",
        alias: "The name to show; null where there is none.",
        description: "What the tool does; null where there is none.",
        toolType: "What kind of tool it is.",
        scriptPath: "The path of the script, of a `script`; else null.",
        scriptLanguage: "The language of the script, of a `script`; else null.",
        endpointUrl: "The address, of an `api` or `mcp` tool; else null.",
        authType: "How requests are authorized; null where they are not.",
        hasAuthConfig: "Whether an auth configuration is stored.",
        status:
          "The state that the client keeps. Chat uses an `mcp` tool only while this is `active`.",
        createdAt: "When it was created, ISO-8601 in UTC.",
        updatedAt: "When it was last changed, ISO-8601 in UTC.",
      },
    },
    UpsertToolConfiguration: {
      about: "The fields of a configured tool.",
      like: "ToolConfiguration",
      fields: {
        authConfigJson: AUTH_CONFIG,
        clearAuthConfig:
          "Whether an update removes the stored auth configuration; by default false.",
      },
    },
  },
};
