// Stands in the Worker's bundle for zod's converters to JSON Schema, which every schema would carry (wrangler.toml). The
// OpenAPI document is made by zod-to-openapi, without them; of what they share with schemas, one function is needed: what
// `minLength` and its like are.
export { aggregateChecks } from "../../../node_modules/zod/v4/core/json-schema-processors.js";

export function createToJSONSchemaMethod(): () => never {
  return () => {
    throw new Error("JSON Schema is not part of the Worker.");
  };
}

export const createStandardJSONSchemaMethod = createToJSONSchemaMethod;
