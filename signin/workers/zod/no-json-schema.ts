// Replaces zod's converters to JSON Schema in the Worker's bundle, where every schema would import them (wrangler.toml).
// zod-to-openapi makes the OpenAPI document without them. Schemas need one function of that module: the one behind
// `minLength` and the like.
export { aggregateChecks } from "../../../node_modules/zod/v4/core/json-schema-processors.js";

export function createToJSONSchemaMethod(): () => never {
  return () => {
    throw new Error("JSON Schema is not part of the Worker.");
  };
}

export const createStandardJSONSchemaMethod = createToJSONSchemaMethod;
