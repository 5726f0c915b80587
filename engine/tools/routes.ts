import { z } from "@hono/zod-openapi";
import { body, errors, jsonText, noContent, ok } from "../../shared/http/responses.ts";
import { get, post, put, remove } from "../../shared/http/route.ts";
import { readList } from "../db/list.ts";
import type { EngineDeps } from "../deps.ts";
import { failure } from "../errors.ts";
import { createRouter } from "../http/router.ts";
import { absentResponse, created, credentialStoreResponse, UuidParam } from "../http/wire.ts";
import { requireCredentials } from "../secrets/require-credentials.ts";
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
  return createRouter({ details: false, tag: "tools" }, [
    get("/tools/catalog", {
      operationId: "getToolCatalog",
      summary: "Get the built-in tools by group, and the configured ones",
      description: "The configured tools are the same as in `GET /tool-registry`.",
      responses: { ...ok(ToolCatalog), ...credentialStoreResponse },
      handler: async () => {
        await requireCredentials(deps);
        const builtin = JSON.stringify(toBuiltinGroups(BUILTIN_TOOLS));
        const frame = { head: `{"builtin":${builtin},"configured":[`, tail: "]}" };
        return jsonText<ToolCatalog>(await readList(deps, allToolConfigurations, frame));
      },
    }),
    get("/tool-registry", {
      operationId: "listTools",
      summary: "List the configured tools, sorted by alias or name",
      description: "Auth configurations are not shown; `hasAuthConfig` says whether one is stored.",
      responses: { ...ok(z.array(ToolConfiguration)), ...credentialStoreResponse },
      handler: async () => {
        await requireCredentials(deps);
        return jsonText<ToolConfiguration[]>(await readList(deps, allToolConfigurations));
      },
    }),
    post("/tool-registry", {
      operationId: "createTool",
      summary: "Register a tool",
      description: "Its auth configuration is write-only: no response has it.",
      request: body(UpsertToolConfiguration),
      responses: { ...created(ToolConfiguration), ...errors(400), ...credentialStoreResponse },
      handler: async (c) => {
        await requireCredentials(deps);
        const row = await createToolConfiguration(deps, c.req.valid("json"));
        return c.json(toToolConfiguration(row), 201, { Location: `${c.req.path}/${row.uuid}` });
      },
    }),
    get("/tool-registry/{uuid}", {
      operationId: "getTool",
      summary: "Get a configured tool",
      description: "Its auth configuration is not shown.",
      request: { params: UuidParam },
      responses: { ...ok(ToolConfiguration), ...absentResponse, ...credentialStoreResponse },
      handler: async (c) => {
        await requireCredentials(deps);
        const row = await findToolConfiguration(deps.db, c.req.valid("param").uuid);
        if (!row) throw failure("absent");
        return c.json(toToolConfiguration(row), 200);
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
        ...credentialStoreResponse,
      },
      handler: async (c) => {
        await requireCredentials(deps);
        const { uuid } = c.req.valid("param");
        const row = await updateToolConfiguration(deps, uuid, c.req.valid("json"));
        return c.json(toToolConfiguration(row), 200);
      },
    }),
    remove("/tool-registry/{uuid}", {
      operationId: "deleteTool",
      summary: "Delete a configured tool with its auth configuration",
      description: "A deletion cannot be undone.",
      request: { params: UuidParam },
      responses: { ...noContent, ...absentResponse, ...credentialStoreResponse },
      handler: async (c) => {
        await requireCredentials(deps);
        const { uuid } = c.req.valid("param");
        if (!(await deleteToolConfiguration(deps.db, uuid))) throw failure("absent");
        deps.changes.publish({ type: "tool.deleted", data: { toolUuid: uuid } });
        return c.body(null, 204);
      },
    }),
  ]);
}
