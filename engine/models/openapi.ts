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
      about: "Credentials are write-only: no answer holds them.",
    },
    "PUT /model-configurations/{id}": {
      id: "updateModelConfiguration",
      summary: "Replace the fields of a model configuration",
      about: "Credentials that are left out are kept.",
    },
    "DELETE /model-configurations/{id}": {
      id: "deleteModelConfiguration",
      summary: "Delete a model configuration with its credentials",
      about: "Turns that use it at this moment go on.",
    },
    "POST /model-configurations/{id}/test": {
      id: "testModelConfiguration",
      summary: "Ask a configured model one tiny question",
      about: "Answers 200 with `ok: false` where the model fails. Takes at most 20 seconds.",
      ignoresBody: true,
    },
    "GET /models": {
      id: "listModels",
      summary: "List the models to choose from: the configured ones, then echo",
      about: "What to send as `model_id` of a turn.",
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
          "The address of the provider's API, with or without `/v1`; null is the provider's own.",
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
    ModelTest: {
      about: "How a test of a configured model went.",
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
        detail: "A sentence for a person.",
      },
    },
  },
};
