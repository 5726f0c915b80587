import { z } from "@hono/zod-openapi";
import { body, errors, jsonText, noContent, ok } from "../../shared/http/responses.ts";
import { readList } from "../db/list.ts";
import type { EngineDeps } from "../deps.ts";
import { failure } from "../errors.ts";
import { get, post, put, remove } from "../http/route.ts";
import { createRouter } from "../http/router.ts";
import { absentResponse, created, UuidParam } from "../http/wire.ts";
import { credentialsOf } from "../secrets/require-credentials.ts";
import { BUILTIN_TOOLS } from "./builtin/catalog.ts";
import { createToolConfiguration, updateToolConfiguration } from "./configuration.ts";
import { allToolConfigurations, deleteToolConfiguration, findToolConfiguration } from "./store.ts";
import {
  ToolCatalog,
  ToolConfiguration,
  toBuiltinGroups,
  toToolConfiguration,
  UpsertToolConfiguration,
} from "./wire.ts";

/** The tool catalog and the registry of configured tools (Engine §4, tools). */
export function toolRoutes(
  deps: Pick<EngineDeps, "db" | "vault" | "clock" | "timers" | "log" | "changes">,
) {
  const credentials = credentialsOf(deps);
  return createRouter({ details: false, tag: "tools" }, [
    get("/tools/catalog", {
      operationId: "getToolCatalog",
      summary: "Get the built-in tools by group, and the configured ones",
      description: "The configured tools are the same as in `GET /tool-registry`.",
      responses: ok(ToolCatalog),
      requires: credentials,
      handler: async () => {
        const builtin = JSON.stringify(toBuiltinGroups(BUILTIN_TOOLS));
        const frame = { head: `{"builtin":${builtin},"configured":[`, tail: "]}" };
        return jsonText(await readList(deps, allToolConfigurations, frame));
      },
    }),
    get("/tool-registry", {
      operationId: "listTools",
      summary: "List the configured tools, sorted by alias or name",
      description: "Auth configurations are not shown; `hasAuthConfig` says whether one is stored.",
      responses: ok(z.array(ToolConfiguration)),
      requires: credentials,
      handler: async () => jsonText(await readList(deps, allToolConfigurations)),
    }),
    post("/tool-registry", {
      operationId: "createTool",
      summary: "Register a tool",
      description: "Its auth configuration is write-only: no response has it.",
      request: body(UpsertToolConfiguration),
      responses: { ...created(ToolConfiguration), ...errors(400) },
      requires: credentials,
      location: ({ uuid }) => `/tool-registry/${uuid}`,
      handler: async ({ body }) => toToolConfiguration(await createToolConfiguration(deps, body)),
    }),
    get("/tool-registry/{uuid}", {
      operationId: "getTool",
      summary: "Get a configured tool",
      description: "Its auth configuration is not shown.",
      request: { params: UuidParam },
      responses: { ...ok(ToolConfiguration), ...absentResponse },
      requires: credentials,
      handler: async ({ uuid }) => {
        const row = await findToolConfiguration(deps.db, uuid);
        if (!row) throw failure("absent");
        return toToolConfiguration(row);
      },
    }),
    put("/tool-registry/{uuid}", {
      operationId: "updateTool",
      summary: "Replace the fields of a configured tool",
      description: "Without an `authType` the auth configuration is removed.",
      request: { params: UuidParam, ...body(UpsertToolConfiguration) },
      responses: {
        ...ok(ToolConfiguration),
        ...errors(400),
        ...absentResponse,
      },
      requires: credentials,
      handler: async ({ uuid, body }) =>
        toToolConfiguration(await updateToolConfiguration(deps, uuid, body)),
    }),
    remove("/tool-registry/{uuid}", {
      operationId: "deleteTool",
      summary: "Delete a configured tool with its auth configuration",
      description: "A deletion cannot be undone.",
      request: { params: UuidParam },
      responses: { ...noContent, ...absentResponse },
      requires: credentials,
      handler: async ({ uuid }) => {
        if (!(await deleteToolConfiguration(deps.db, uuid))) throw failure("absent");
        deps.changes.publish({ type: "tool.deleted", data: { toolUuid: uuid } });
      },
    }),
  ]);
}
