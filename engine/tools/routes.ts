import { createRoute, z } from "@hono/zod-openapi";
import { body, created, errors, jsonText, noContent, ok } from "../../shared/http/responses.ts";
import { readList } from "../db/list.ts";
import type { EngineDeps } from "../deps.ts";
import { failure } from "../errors.ts";
import { createRouter } from "../http/router.ts";
import { absentResponse, credentialStoreResponse, UuidParam } from "../http/wire.ts";
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

const getCatalog = createRoute({
  method: "get",
  path: "/tools/catalog",
  responses: { ...ok(ToolCatalog), ...credentialStoreResponse },
});

const getTools = createRoute({
  method: "get",
  path: "/tool-registry",
  responses: { ...ok(z.array(ToolConfiguration)), ...credentialStoreResponse },
});

const postTool = createRoute({
  method: "post",
  path: "/tool-registry",
  request: { ...body(UpsertToolConfiguration) },
  responses: { ...created(ToolConfiguration), ...errors(400), ...credentialStoreResponse },
});

const getTool = createRoute({
  method: "get",
  path: "/tool-registry/{uuid}",
  request: { params: UuidParam },
  responses: { ...ok(ToolConfiguration), ...absentResponse, ...credentialStoreResponse },
});

const putTool = createRoute({
  method: "put",
  path: "/tool-registry/{uuid}",
  request: { params: UuidParam, ...body(UpsertToolConfiguration) },
  responses: {
    ...ok(ToolConfiguration),
    ...errors(400),
    ...absentResponse,
    ...credentialStoreResponse,
  },
});

const removeTool = createRoute({
  method: "delete",
  path: "/tool-registry/{uuid}",
  request: { params: UuidParam },
  responses: { ...noContent, ...absentResponse, ...credentialStoreResponse },
});

/** The tool catalog and the registry of configured tools (Engine §4, tools). */
export function toolRoutes(
  deps: Pick<EngineDeps, "db" | "vault" | "clock" | "timers" | "log" | "changes">,
) {
  return createRouter({ details: false })
    .openapi(getCatalog, async () => {
      await requireCredentials(deps);
      const builtin = JSON.stringify(toBuiltinGroups(BUILTIN_TOOLS));
      const frame = { head: `{"builtin":${builtin},"configured":[`, tail: "]}" };
      return jsonText<ToolCatalog>(await readList(deps, allToolConfigurations, frame));
    })
    .openapi(getTools, async () => {
      await requireCredentials(deps);
      return jsonText<ToolConfiguration[]>(await readList(deps, allToolConfigurations));
    })
    .openapi(postTool, async (c) => {
      await requireCredentials(deps);
      const row = await createToolConfiguration(deps, c.req.valid("json"));
      return c.json(toToolConfiguration(row), 201, { Location: `${c.req.path}/${row.uuid}` });
    })
    .openapi(getTool, async (c) => {
      await requireCredentials(deps);
      const row = await findToolConfiguration(deps.db, c.req.valid("param").uuid);
      if (!row) throw failure("absent");
      return c.json(toToolConfiguration(row), 200);
    })
    .openapi(putTool, async (c) => {
      await requireCredentials(deps);
      const { uuid } = c.req.valid("param");
      const row = await updateToolConfiguration(deps, uuid, c.req.valid("json"));
      return c.json(toToolConfiguration(row), 200);
    })
    .openapi(removeTool, async (c) => {
      await requireCredentials(deps);
      const { uuid } = c.req.valid("param");
      if (!(await deleteToolConfiguration(deps.db, uuid))) throw failure("absent");
      deps.changes.publish({ type: "tool.deleted", data: { toolUuid: uuid } });
      return c.body(null, 204);
    });
}
