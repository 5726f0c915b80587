import { z } from "@hono/zod-openapi";
import { errors, ok } from "../../shared/http/responses.ts";
import type { EngineDeps } from "../deps.ts";
import { ignoredBody } from "../http/ignored-body.ts";
import { get, post } from "../http/route.ts";
import { createRouter } from "../http/router.ts";
import { absentResponse, UuidParam } from "../http/wire.ts";
import { credentialsOf } from "../secrets/require-credentials.ts";
import { getWorkspace } from "../workspaces/store.ts";
import type { McpServers } from "./mcp-servers.ts";
import { McpServerTools, McpTest } from "./wire.ts";

/** Configured MCP servers: their tools in a workspace, and a test of one. */
export function mcpRoutes(deps: Pick<EngineDeps, "db" | "vault">, servers: McpServers) {
  const credentials = credentialsOf(deps);
  return createRouter({ details: false, tag: "mcp" }, [
    get("/workspaces/{uuid}/mcp-tools", {
      operationId: "listMcpTools",
      summary: "List the configured MCP servers with their tools, as a workspace sees them",
      description:
        "Servers that `toolsConfig.mcp.<uuid>.enabled` of the workspace switches on are asked now, side by side, for at most 10 seconds each. The others are `off` and are not contacted.",
      request: { params: UuidParam },
      responses: {
        ...ok(z.array(McpServerTools)),
        ...errors(400, 404),
      },
      requires: credentials,
      handler: async ({ uuid }, c) =>
        servers.list(await getWorkspace(deps.db, uuid), c.req.raw.signal),
    }),
    post("/tool-registry/{uuid}/test", {
      operationId: "testMcpServer",
      summary: "Connect a configured MCP server and list its tools",
      description:
        "Answers 200 with `ok: false` where the server fails. Takes at most 20 seconds. A tool of another type is refused with 400.",
      request: { params: UuidParam, ...ignoredBody },
      responses: { ...ok(McpTest), ...errors(400), ...absentResponse },
      requires: credentials,
      handler: async ({ uuid }, c) => servers.test(uuid, c.req.raw.signal),
    }),
  ]);
}
