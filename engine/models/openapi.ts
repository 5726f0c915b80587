import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `models/`. */
export const modelTexts: SliceTexts = {
  tag: "models",
  about: "Model configurations, their credentials, and the models to choose from.",
  operations: {
    "GET /model-configurations": {
      id: "listModelConfigurations",
      summary: "List all model configurations, sorted by id",
      about: "Credentials are not shown; `hasApiKey` says whether one is stored.",
    },
    "POST /model-configurations": {
      id: "createModelConfiguration",
      summary: "Configure a model",
      about: "Credentials are write-only: no response has them.",
    },
    "PUT /model-configurations/{id}": {
      id: "updateModelConfiguration",
      summary: "Replace the fields of a model configuration",
      about: "Credentials that are left out are kept.",
    },
    "DELETE /model-configurations/{id}": {
      id: "deleteModelConfiguration",
      summary: "Delete a model configuration with its credentials",
      about:
        "Running turns that use it continue. Threads and workspaces keep it as `defaultModelId`; their next turn is refused until it names another model.",
    },
    "POST /model-configurations/{id}/test": {
      id: "testModelConfiguration",
      summary: "Test a configured model with one short request",
      about:
        "The response is 200 with `ok: false` where the model fails. It takes at most 20 seconds.",
      ignoresBody: true,
    },
    "PUT /model-configurations/{id}/headers": {
      id: "updateModelConfigurationHeaders",
      summary: "Replace the headers of requests to the provider of a model",
      about:
        "Values are write-only, and stored sealed. The whole map is replaced; an empty one removes all. An update of the configuration keeps them.",
    },
    "GET /providers": {
      id: "listProviders",
      summary: "List the known providers with the fields that each takes",
      about: "Another name with a `baseUrl` is used as `openai-compatible`.",
    },
    "POST /model-discovery": {
      id: "discoverModels",
      summary: "Find the model servers that run on this machine",
      about:
        "Asks the usual ports of Ollama, LM Studio, llama.cpp, Jan and vLLM on loopback at the same time, one second each.",
      ignoresBody: true,
    },
    "GET /models": {
      id: "listModels",
      summary: "List the models to choose from: the configured ones, then echo",
      about: "A turn names one of them by its `id`, as `model_id`.",
    },
  },
  schemas: {
    ModelConfiguration: {
      about: "A configured model. Credentials never leave the engine.",
      fields: {
        id: "The id, as `model_id` of a turn and `defaultModelId` name it.",
        provider: "The provider, one of `GET /providers`.",
        model: "The name of the model at its provider.",
        alias: "The name to show; null where there is none.",
        baseUrl:
          "The address of the provider's API; null is the provider's own. `/v1` may be left out, but not with `openai-compatible`.",
        region: "The AWS region, for `bedrock`; else null.",
        contextWindow: "The context window in tokens; null where it is not known.",
        hasApiKey: "Whether an API key is stored.",
      },
    },
    UpsertModelConfiguration: {
      about:
        "The fields of a model configuration. On update, a credential that is left out is kept.",
      like: "ModelConfiguration",
      fields: {
        apiKey: "The API key; write-only.",
        cloudAccessKeyId: "The AWS access key id, for `bedrock`; write-only.",
        cloudSecretAccessKey: "The AWS secret access key, for `bedrock`; write-only.",
        cloudSessionToken: "The AWS session token, for `bedrock`; write-only.",
        clearApiKey: "Whether an update removes the stored API key; by default false.",
      },
    },
    ModelHeaders: {
      about: "Headers of requests to the provider.",
      fields: {
        headers:
          "At most 32 headers, by name; values of at most 4,096 characters of visible ASCII. Write-only.",
      },
    },
    ModelHeaderNames: {
      about: "Which headers are stored.",
      fields: { names: "Their names, as they were given." },
    },
    KnownProvider: {
      about: "A provider that the engine knows by name.",
      fields: {
        provider: "The name, for `provider` of a model configuration.",
        baseUrl:
          "The address where the configuration names none; null where there is no such address.",
        fields: "The fields of a model configuration that it takes.",
        "fields.name": "The name of the field.",
        "fields.required": "Whether the field is needed.",
        "fields.unless": "The fields of which one makes this one unnecessary.",
        "fields.secret": "Whether the field is write-only.",
      },
    },
    DiscoveredServer: {
      about: "A model server on this machine.",
      fields: {
        provider: "The name, for `provider` of a model configuration.",
        baseUrl: "The address, for `baseUrl` of a model configuration.",
        models: "The names of its models, for `model` of a model configuration; at most 500.",
      },
    },
    ModelTest: {
      about: "The outcome of a test of a configured model.",
      fields: {
        ok: "Whether the model answered.",
        firstTokenMs: "Milliseconds until the first token; null where none came.",
        totalMs: "Milliseconds until the end.",
        error: "Why it failed, as a sentence; null where it did not.",
      },
    },
    Model: {
      about: "A model to choose for a turn.",
      fields: {
        id: "The id to send as `model_id`.",
        name: "The name to show.",
        provider: "The provider.",
        description: "What it is; null where there is none.",
      },
    },
    ProblemDetails: {
      about: "Why credentials cannot be used now (RFC 9457).",
      fields: {
        type: "Always `about:blank`.",
        title: "What is unavailable.",
        status: "Always 503.",
        detail: "A sentence to show to the user.",
      },
    },
  },
};
