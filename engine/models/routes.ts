import { createRoute, z } from "@hono/zod-openapi";
import { body, created, errors, jsonText, noContent, ok } from "../../shared/http/responses.ts";
import { readList } from "../db/list.ts";
import type { EngineDeps } from "../deps.ts";
import { failure } from "../errors.ts";
import { createRouter } from "../http/router.ts";
import { absentResponse, credentialStoreResponse } from "../http/wire.ts";
import { requireCredentials } from "../secrets/require-credentials.ts";
import { readCatalog } from "./catalog.ts";
import { createModelConfiguration, updateModelConfiguration } from "./configuration.ts";
import { discoverModels } from "./discovery.ts";
import { putModelHeaders } from "./headers.ts";
import { ModelHeaderNames, ModelHeaders } from "./headers-wire.ts";
import { listProviders } from "./providers/registry.ts";
import { allModelConfigurations, deleteModelConfiguration } from "./store.ts";
import { testModelConfiguration } from "./test-configuration.ts";
import {
  DiscoveredServer,
  IdParam,
  KnownProvider,
  Model,
  ModelConfiguration,
  ModelTest,
  toModelConfiguration,
  UpsertModelConfiguration,
} from "./wire.ts";

const getConfigurations = createRoute({
  method: "get",
  path: "/model-configurations",
  responses: { ...ok(z.array(ModelConfiguration)), ...credentialStoreResponse },
});

const postConfiguration = createRoute({
  method: "post",
  path: "/model-configurations",
  request: { ...body(UpsertModelConfiguration) },
  responses: { ...created(ModelConfiguration), ...errors(400), ...credentialStoreResponse },
});

const putConfiguration = createRoute({
  method: "put",
  path: "/model-configurations/{id}",
  request: { params: IdParam, ...body(UpsertModelConfiguration) },
  responses: {
    ...ok(ModelConfiguration),
    ...errors(400),
    ...absentResponse,
    ...credentialStoreResponse,
  },
});

const removeConfiguration = createRoute({
  method: "delete",
  path: "/model-configurations/{id}",
  request: { params: IdParam },
  responses: { ...noContent, ...absentResponse, ...credentialStoreResponse },
});

const postTest = createRoute({
  method: "post",
  path: "/model-configurations/{id}/test",
  request: { params: IdParam },
  responses: { ...ok(ModelTest), ...absentResponse, ...credentialStoreResponse },
});

const putHeaders = createRoute({
  method: "put",
  path: "/model-configurations/{id}/headers",
  request: { params: IdParam, ...body(ModelHeaders) },
  responses: {
    ...ok(ModelHeaderNames),
    ...errors(400),
    ...absentResponse,
    ...credentialStoreResponse,
  },
});

const getProviders = createRoute({
  method: "get",
  path: "/providers",
  responses: { ...ok(z.array(KnownProvider)) },
});

const postDiscovery = createRoute({
  method: "post",
  path: "/model-discovery",
  responses: { ...ok(z.array(DiscoveredServer)) },
});

const getModels = createRoute({
  method: "get",
  path: "/models",
  responses: { ...ok(z.array(Model)), ...credentialStoreResponse },
});

type ModelDeps = Pick<
  EngineDeps,
  "db" | "vault" | "fetch" | "timers" | "clock" | "log" | "changes"
>;

/** Model configurations and the catalog (Engine §4, models). */
export function modelRoutes(deps: ModelDeps) {
  return createRouter({ details: false })
    .openapi(getConfigurations, async () => {
      await requireCredentials(deps);
      return jsonText<ModelConfiguration[]>(await readList(deps, allModelConfigurations));
    })
    .openapi(postConfiguration, async (c) => {
      await requireCredentials(deps);
      const row = await createModelConfiguration(deps, c.req.valid("json"));
      return c.json(toModelConfiguration(row), 201, { Location: `${c.req.path}/${row.id}` });
    })
    .openapi(putConfiguration, async (c) => {
      await requireCredentials(deps);
      const { id } = c.req.valid("param");
      const row = await updateModelConfiguration(deps, id, c.req.valid("json"));
      return c.json(toModelConfiguration(row), 200);
    })
    .openapi(removeConfiguration, async (c) => {
      await requireCredentials(deps);
      const { id } = c.req.valid("param");
      if (!(await deleteModelConfiguration(deps.db, id))) throw failure("absent");
      deps.changes.publish({ type: "model.deleted", data: { modelId: id } });
      return c.body(null, 204);
    })
    .openapi(postTest, async (c) => {
      await requireCredentials(deps);
      const { id } = c.req.valid("param");
      return c.json(await testModelConfiguration(deps, id, c.req.raw.signal), 200);
    })
    .openapi(putHeaders, async (c) => {
      await requireCredentials(deps);
      const { headers } = c.req.valid("json");
      return c.json(await putModelHeaders(deps, c.req.valid("param").id, headers), 200);
    })
    .openapi(getProviders, (c) => c.json(listProviders(), 200))
    .openapi(postDiscovery, async (c) => c.json(await discoverModels(deps, c.req.raw.signal), 200))
    .openapi(getModels, async () => {
      await requireCredentials(deps);
      return jsonText<Model[]>(await readCatalog(deps));
    });
}
