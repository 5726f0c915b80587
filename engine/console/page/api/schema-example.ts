import { resolveSchema, type Schema } from "./document.ts";

const DEPTH_MAX = 5;

/** A value that fits a schema, with the fields that it needs and those that have an example. */
export function exampleOf(document: unknown, schema: Schema, depth = 0): unknown {
  const resolved = resolveSchema(document, schema);
  const { example, examples, default: usual, const: constant, enum: values } = resolved;
  const given = [example, Array.isArray(examples) ? examples[0] : undefined, usual, constant];
  const found = given.find((value) => value !== undefined);
  if (found !== undefined) return found;
  if (Array.isArray(values)) return values[0];
  if (depth > DEPTH_MAX) return null;
  return ofType(document, resolved, depth);
}

function ofType(document: unknown, schema: Schema, depth: number): unknown {
  const { type, anyOf, oneOf, allOf, items, minimum } = schema;
  const choices = [anyOf, oneOf].find(Array.isArray);
  if (choices) return exampleOf(document, Object(choices[0]), depth + 1);
  if (Array.isArray(allOf)) {
    return Object.assign({}, ...allOf.map((part) => exampleOf(document, part, depth + 1)));
  }
  const [first] = [type].flat();
  if (first === "array") return [exampleOf(document, Object(items), depth + 1)];
  if (first === "object") return ofObject(document, schema, depth);
  if (first === "string") return "text";
  if (first === "integer" || first === "number") return typeof minimum === "number" ? minimum : 1;
  return first === "boolean" ? true : null;
}

function ofObject(document: unknown, schema: Schema, depth: number): Record<string, unknown> {
  const { properties, required } = schema;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const fields = Object.entries(Object(properties)).filter(
    ([name, field]) => needed.includes(name) || resolveSchema(document, Object(field)).example,
  );
  return Object.fromEntries(
    fields.map(([name, field]) => [name, exampleOf(document, Object(field), depth + 1)]),
  );
}
