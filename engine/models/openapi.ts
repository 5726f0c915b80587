import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `models/`. */
export const modelTexts: SliceTexts = {
  tag: "models",
  about: "Model configurations, their credentials, and the models to choose from.",
  operations: {
    "GET /model-configurations": {
      id: "listModelConfigurations",
      summary: "List all model configurations, sorted by id",
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
    },
  },
};
