import { z } from "@hono/zod-openapi";

/** A tool of an MCP server: the name that models see, and the server's own. */
const McpTool = z
  .object({
    name: z.string().describe("The name, as the model calls it."),
    serverName: z.string().describe("The server's own name of the tool, as `toolsConfig` uses it."),
    description: z.string().describe("What it does, in the words of the server."),
  })
  .openapi("McpTool", { description: "A tool of an MCP server." });

/** A tool of a server in a workspace. */
const WorkspaceMcpTool = McpTool.extend({
  enabled: z.boolean().describe("Whether the workspace offers it to models."),
}).openapi("WorkspaceMcpTool", { description: "A tool of an MCP server in a workspace." });

/** A configured MCP server as a workspace sees it. A server that is off was not asked. */
export const McpServerTools = z
  .object({
    toolUuid: z.string().describe("The uuid of the configured tool."),
    name: z.string().describe("Its alias, or its name."),
    state: z
      .enum(["ready", "off", "failed"])
      .describe("Whether the server answered now (`ready`), is switched off, or failed."),
    problem: z.string().nullable().describe("What is wrong, in a sentence; null where nothing is."),
    tools: z
      .array(WorkspaceMcpTool)
      .describe("The tools of the server; none where it is not `ready`."),
  })
  .openapi("McpServerTools", { description: "A configured MCP server as a workspace sees it." });
export type McpServerTools = z.infer<typeof McpServerTools>;

/** The result of a test of one server. */
export const McpTest = z
  .object({
    ok: z.boolean().describe("Whether the server answered with its tools."),
    serverName: z
      .string()
      .nullable()
      .describe("The name that the server gives itself; null where it did not answer."),
    serverVersion: z
      .string()
      .nullable()
      .describe("The version that the server gives itself; null where it did not answer."),
    tools: z.array(McpTool).describe("The tools of the server."),
    error: z.string().nullable().describe("What is wrong, in a sentence; null where nothing is."),
  })
  .openapi("McpTest", { description: "The result of a test of an MCP server." });
export type McpTest = z.infer<typeof McpTest>;
