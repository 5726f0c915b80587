import { z } from "@hono/zod-openapi";
import { body, errors, jsonText, noContent, ok } from "../../shared/http/responses.ts";
import { readList } from "../db/list.ts";
import type { EngineDeps } from "../deps.ts";
import { failure } from "../errors.ts";
import { ignoredBody } from "../http/ignored-body.ts";
import { get, post, put, remove } from "../http/route.ts";
import { createRouter } from "../http/router.ts";
import { absentResponse, created } from "../http/wire.ts";
import { credentialsOf } from "../secrets/require-credentials.ts";
import { createModelConfiguration, updateModelConfiguration } from "./configuration.ts";
import { resolveContextWindow } from "./context-window.ts";
import { putModelHeaders } from "./credentials.ts";
import { discoverModels } from "./discovery.ts";
import { listOfferedModels } from "./offered.ts";
import { ECHO_MODEL_ID } from "./providers/echo.ts";
import { listProviders } from "./providers/registry.ts";
import {
  allModelConfigurations,
  configuredModels,
  deleteModelConfiguration,
  getModelConfiguration,
  replaceModelOptions,
} from "./store.ts";
import { testModelConfiguration } from "./test-configuration.ts";
import {
  ContextWindow,
  DiscoveredServer,
  IdParam,
  KnownProvider,
  Model,
  ModelConfiguration,
  ModelHeaderNames,
  ModelHeaders,
  ModelParameters,
  ModelTest,
  OfferedModel,
  OfferedModelsRequest,
  toModelConfiguration,
  toModelParameters,
  UpsertModelConfiguration,
} from "./wire.ts";

type ModelDeps = Pick<
  EngineDeps,
  "db" | "vault" | "serverModels" | "fetch" | "timers" | "clock" | "log" | "changes" | "config"
>;

/** Model configurations and the catalog (Engine §4, models). */
export function modelRoutes(deps: ModelDeps) {
  const credentials = credentialsOf(deps);
  return createRouter({ details: false, tag: "models" }, [
    get("/model-configurations", {
      operationId: "listModelConfigurations",
      summary: "List all model configurations, sorted by id",
      description: "Credentials are not shown; `hasApiKey` says whether one is stored.",
      responses: ok(z.array(ModelConfiguration)),
      requires: credentials,
      handler: async () => jsonText(await readList(deps, allModelConfigurations)),
    }),
    post("/model-configurations", {
      operationId: "createModelConfiguration",
      summary: "Configure a model",
      description: "Credentials are write-only: no response has them.",
      request: body(UpsertModelConfiguration),
      responses: { ...created(ModelConfiguration), ...errors(400) },
      requires: credentials,
      location: ({ id }) => `/model-configurations/${id}`,
      handler: async ({ body }) => toModelConfiguration(await createModelConfiguration(deps, body)),
    }),
    put("/model-configurations/{id}", {
      operationId: "updateModelConfiguration",
      summary: "Replace the fields of a model configuration",
      description: "Credentials that are left out are kept.",
      request: { params: IdParam, ...body(UpsertModelConfiguration) },
      responses: {
        ...ok(ModelConfiguration),
        ...errors(400),
        ...absentResponse,
      },
      requires: credentials,
      handler: async ({ id, body }) =>
        toModelConfiguration(await updateModelConfiguration(deps, id, body)),
    }),
    remove("/model-configurations/{id}", {
      operationId: "deleteModelConfiguration",
      summary: "Delete a model configuration with its credentials",
      description:
        "Running turns that use it continue. Threads and workspaces keep it as `defaultModelId`; their next turn is refused until it names another model.",
      request: { params: IdParam },
      responses: { ...noContent, ...absentResponse },
      requires: credentials,
      handler: async ({ id }) => {
        if (!(await deleteModelConfiguration(deps.db, id))) throw failure("absent");
        deps.changes.publish({ type: "model.deleted", data: { modelId: id } });
      },
    }),
    post("/model-configurations/{id}/test", {
      operationId: "testModelConfiguration",
      summary: "Test a configured model with one short request",
      description:
        "The response is 200 with `ok: false` where the model fails. It takes at most 20 seconds.",
      request: { params: IdParam, ...ignoredBody },
      responses: { ...ok(ModelTest), ...absentResponse },
      requires: credentials,
      handler: async ({ id }, c) => testModelConfiguration(deps, id, c.req.raw.signal),
    }),
    put("/model-configurations/{id}/headers", {
      operationId: "updateModelConfigurationHeaders",
      summary: "Replace the headers of requests to the provider of a model",
      description:
        "Values are write-only, and stored sealed. The whole map is replaced; an empty one removes all. An update of the configuration keeps them.",
      request: { params: IdParam, ...body(ModelHeaders) },
      responses: {
        ...ok(ModelHeaderNames),
        ...errors(400),
        ...absentResponse,
      },
      requires: credentials,
      handler: async ({ id, body: { headers } }) => putModelHeaders(deps, id, headers),
    }),
    get("/model-configurations/{id}/context", {
      operationId: "getModelConfigurationContext",
      summary: "Get the context window of a model",
      description:
        "The stated one, else what its server says within a second, else that of its family, else 32,768 tokens.",
      request: { params: IdParam },
      responses: { ...ok(ContextWindow), ...absentResponse },
      requires: credentials,
      handler: async ({ id }) => {
        const row = await getModelConfiguration(deps.db, id);
        return resolveContextWindow(deps, row, { asksAll: true });
      },
    }),
    get("/model-configurations/{id}/parameters", {
      operationId: "getModelConfigurationParameters",
      summary: "Get the parameters of requests to a model",
      description: "Null where the provider decides.",
      request: { params: IdParam },
      responses: { ...ok(ModelParameters), ...absentResponse },
      handler: async ({ id }) => {
        const row = await getModelConfiguration(deps.db, id);
        return toModelParameters(row);
      },
    }),
    put("/model-configurations/{id}/parameters", {
      operationId: "updateModelConfigurationParameters",
      summary: "Replace the parameters of requests to a model",
      description: "An update of the configuration keeps them.",
      request: { params: IdParam, ...body(ModelParameters) },
      responses: { ...ok(ModelParameters), ...errors(400), ...absentResponse },
      handler: async ({ id, body: parameters }) => {
        if (!(await replaceModelOptions(deps.db, id, parameters))) throw failure("absent");
        const changed = Object.keys(parameters);
        deps.changes.publish({ type: "model.updated", data: { modelId: id, changed } });
        return parameters;
      },
    }),
    get("/providers", {
      operationId: "listProviders",
      summary: "List the known providers with the fields that each takes",
      description: "Another name with a `baseUrl` is used as `openai-compatible`.",
      responses: ok(z.array(KnownProvider)),
      handler: listProviders,
    }),
    post("/model-discovery", {
      operationId: "discoverModels",
      summary: "Find the model servers that run on this machine",
      description:
        "Asks the usual ports of Ollama, LM Studio, llama.cpp, Jan and vLLM on loopback at the same time, one second each.",
      request: ignoredBody,
      responses: ok(z.array(DiscoveredServer)),
      handler: async (_input, c) =>
        deps.config.discovery ? discoverModels(deps, c.req.raw.signal) : [],
    }),
    post("/provider-models", {
      operationId: "listOfferedModels",
      summary: "List the models that a provider has for a key",
      description:
        "Before a model is configured: the key is tried and not stored. `bedrock` has no such list.",
      request: body(OfferedModelsRequest),
      responses: { ...ok(z.array(OfferedModel)), ...errors(400, 502) },
      handler: ({ body }, c) => listOfferedModels(deps, body, c.req.raw.signal),
    }),
    get("/models", {
      operationId: "listModels",
      summary: "List the models to choose from: the configured ones, then echo",
      description: "A turn names one of them by its `id`, as `model_id`.",
      responses: ok(z.array(Model)),
      requires: credentials,
      handler: async () => jsonText(await readCatalog(deps)),
    }),
  ]);
}

const ECHO: Model = {
  id: ECHO_MODEL_ID,
  name: "Echo",
  provider: ECHO_MODEL_ID,
  description: "Answers exactly what was said. For development: it needs no credentials.",
};

/** `Model[]`: the configured models in order of creation, then echo (Engine §4, `GET /models`). */
function readCatalog(
  deps: Pick<EngineDeps, "db" | "timers">,
): Promise<string | ReadableStream<Uint8Array>> {
  return readList(deps, configuredModels, { head: "[", last: JSON.stringify(ECHO), tail: "]" });
}
