import { createRoute, z } from "@hono/zod-openapi";
import { errors, ok } from "../../shared/http/responses.ts";
import type { EngineDeps } from "../deps.ts";
import { createRouter } from "../http/router.ts";
import { absentResponse, credentialStoreResponse, UuidParam } from "../http/wire.ts";
import { requireCredentials } from "../secrets/require-credentials.ts";
import { getWorkspace } from "../workspaces/store.ts";
import type { McpServers } from "./mcp-servers.ts";
import { McpServerTools, McpTest } from "./wire.ts";

const getMcpTools = createRoute({
  method: "get",
  path: "/workspaces/{uuid}/mcp-tools",
  request: { params: UuidParam },
  responses: { ...ok(z.array(McpServerTools)), ...errors(400, 404), ...credentialStoreResponse },
});

const postTest = createRoute({
  method: "post",
  path: "/tool-registry/{uuid}/test",
  request: { params: UuidParam },
  responses: { ...ok(McpTest), ...errors(400), ...absentResponse, ...credentialStoreResponse },
});

/** Configured MCP servers: their tools in a workspace, and a test of one. */
export function mcpRoutes(deps: Pick<EngineDeps, "db" | "vault">, servers: McpServers) {
  return createRouter({ details: false })
    .openapi(getMcpTools, async (c) => {
      await requireCredentials(deps);
      const workspace = await getWorkspace(deps.db, c.req.valid("param").uuid);
      return c.json(await servers.list(workspace, c.req.raw.signal), 200);
    })
    .openapi(postTest, async (c) => {
      await requireCredentials(deps);
      return c.json(await servers.test(c.req.valid("param").uuid, c.req.raw.signal), 200);
    });
}
