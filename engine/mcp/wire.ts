import type { z } from "@hono/zod-openapi";
import { field, object } from "../http/fields.ts";

/** A tool of an MCP server: the name that models see, and the server's own. */
const McpTool = object({
  name: field.text("The name, as the model calls it."),
  serverName: field.text("The server's own name of the tool, as `toolsConfig` uses it."),
  description: field.text("What it does, in the words of the server."),
}).openapi("McpTool", { description: "A tool of an MCP server." });

/** A tool of a server in a workspace. */
const WorkspaceMcpTool = McpTool.extend({
  enabled: field.flag("Whether the workspace offers it to models."),
}).openapi("WorkspaceMcpTool", { description: "A tool of an MCP server in a workspace." });

/** A configured MCP server as a workspace sees it. A server that is off was not asked. */
export const McpServerTools = object({
  toolUuid: field.text("The uuid of the configured tool."),
  name: field.text("Its alias, or its name."),
  state: field.choice(
    ["ready", "off", "failed"],
    "Whether the server answered now (`ready`), is switched off, or failed.",
  ),
  problem: field.nullableText("What is wrong, in a sentence; null where nothing is."),
  tools: field.list(WorkspaceMcpTool, "The tools of the server; none where it is not `ready`."),
}).openapi("McpServerTools", { description: "A configured MCP server as a workspace sees it." });
export type McpServerTools = z.infer<typeof McpServerTools>;

/** The result of a test of one server. */
export const McpTest = object({
  ok: field.flag("Whether the server answered with its tools."),
  serverName: field.nullableText(
    "The name that the server gives itself; null where it did not answer.",
  ),
  serverVersion: field.nullableText(
    "The version that the server gives itself; null where it did not answer.",
  ),
  tools: field.list(McpTool, "The tools of the server."),
  error: field.nullableText("What is wrong, in a sentence; null where nothing is."),
}).openapi("McpTest", { description: "The result of a test of an MCP server." });
export type McpTest = z.infer<typeof McpTest>;
