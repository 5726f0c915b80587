// Stands in the Worker's bundle for zod's converters to JSON Schema, which every schema would carry (wrangler.toml). The
// OpenAPI document is made by zod-to-openapi, without them.

export function createToJSONSchemaMethod(): () => never {
  return () => {
    throw new Error("JSON Schema is not part of the Worker.");
  };
}

export const createStandardJSONSchemaMethod = createToJSONSchemaMethod;
