import { z } from "@hono/zod-openapi";

/** A tool of an MCP server: the name that models see, and the server's own. */
const McpTool = z
  .object({ name: z.string(), serverName: z.string(), description: z.string() })
  .openapi("McpTool");

/** A tool of a server in a workspace. */
const WorkspaceMcpTool = McpTool.extend({ enabled: z.boolean() }).openapi("WorkspaceMcpTool");
export type WorkspaceMcpTool = z.infer<typeof WorkspaceMcpTool>;

/** A configured MCP server as a workspace sees it. A server that is off was not asked. */
export const McpServerTools = z
  .object({
    toolUuid: z.string(),
    name: z.string(),
    state: z.enum(["ready", "off", "failed"]),
    problem: z.string().nullable(),
    tools: z.array(WorkspaceMcpTool),
  })
  .openapi("McpServerTools");
export type McpServerTools = z.infer<typeof McpServerTools>;

/** The result of a test of one server. */
export const McpTest = z
  .object({
    ok: z.boolean(),
    serverName: z.string().nullable(),
    serverVersion: z.string().nullable(),
    tools: z.array(McpTool),
    error: z.string().nullable(),
  })
  .openapi("McpTest");
export type McpTest = z.infer<typeof McpTest>;
