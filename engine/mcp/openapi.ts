import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `mcp/`. */
export const mcpTexts: SliceTexts = {
  tag: "mcp",
  about: "Tools of servers that speak the Model Context Protocol.",
  operations: {
    "GET /workspaces/{uuid}/mcp-tools": {
      id: "listMcpTools",
      summary: "List the configured MCP servers with their tools, as a workspace sees them",
      about:
        "Servers that `toolsConfig.mcp.<uuid>.enabled` of the workspace switches on are asked now, side by side, for at most 10 seconds each. The others are `off` and are not contacted.",
    },
    "POST /tool-registry/{uuid}/test": {
      id: "testMcpServer",
      summary: "Connect a configured MCP server and list its tools",
      about:
        "Answers 200 with `ok: false` where the server fails. Takes at most 20 seconds. A tool of another type is refused with 400.",
      ignoresBody: true,
    },
  },
  schemas: {
    McpServerTools: {
      about: "A configured MCP server as a workspace sees it.",
      fields: {
        toolUuid: "The uuid of the configured tool.",
        name: "Its alias, or its name.",
        state: "Whether the server answered now (`ready`), is switched off, or failed.",
        problem: "What is wrong, in a sentence; null where nothing is.",
        tools: "The tools of the server; none where it is not `ready`.",
      },
    },
    McpTool: {
      about: "A tool of an MCP server.",
      fields: {
        name: "The name, as the model calls it.",
        serverName: "The server's own name of the tool, as `toolsConfig` uses it.",
        description: "What it does, in the words of the server.",
      },
    },
    WorkspaceMcpTool: {
      about: "A tool of an MCP server in a workspace.",
      like: "McpTool",
      fields: { enabled: "Whether the workspace offers it to models." },
    },
    McpTest: {
      about: "The result of a test of an MCP server.",
      fields: {
        ok: "Whether the server answered with its tools.",
        serverName: "The name that the server gives itself; null where it did not answer.",
        serverVersion: "The version that the server gives itself; null where it did not answer.",
        tools: "The tools of the server.",
        error: "What is wrong, in a sentence; null where nothing is.",
      },
    },
  },
};
