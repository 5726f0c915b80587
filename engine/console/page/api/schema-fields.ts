import { nameOfReference, resolveSchema, type Schema } from "./document.ts";

/** A field of a schema, for a table. */
interface FieldRow {
  /** With the fields around it: `data.workspaceUuid`; `[]` is an entry of a list. */
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
}

const DEPTH_MAX = 4;
const ROWS_MAX = 200;

/** The fields of a schema, those within fields below them. Schemas that hold themselves end at a depth. */
export function fieldsOf(document: unknown, schema: Schema): FieldRow[] {
  return rowsOf(document, schema, "", 0).slice(0, ROWS_MAX);
}

/** The type of a schema in a few words. */
export function typeOf(document: unknown, schema: Schema): string {
  const name = nameOfReference(schema);
  const {
    type,
    enum: values,
    const: constant,
    items,
    anyOf,
    oneOf,
    allOf,
    format,
  } = resolveSchema(document, schema);
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ");
  const choices = [anyOf, oneOf].find(Array.isArray);
  if (choices) return choices.map((choice) => typeOf(document, choice)).join(" | ");
  if (type === "array") return `${typeOf(document, Object(items))}[]`;
  if (Array.isArray(type)) return type.join(" | ");
  if (name) return name;
  if (typeof type === "string") return typeof format === "string" ? `${type} (${format})` : type;
  return Array.isArray(allOf) ? "object" : "any";
}

function rowsOf(document: unknown, schema: Schema, before: string, depth: number): FieldRow[] {
  if (depth > DEPTH_MAX) return [];
  const resolved = resolveSchema(document, schema);
  const { items, allOf, anyOf, oneOf, properties, required } = resolved;
  const parts = [allOf, anyOf, oneOf].find(Array.isArray);
  const inParts = (parts ?? []).flatMap((part) => rowsOf(document, part, before, depth + 1));
  if (items) return rowsOf(document, Object(items), `${before}[]`, depth + 1);
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const own = Object.entries(Object(properties)).flatMap(([name, field]) => {
    const path = before === "" ? name : `${before}.${name}`;
    const described: Schema = Object(field);
    const text = described.description ?? resolveSchema(document, described).description;
    const row = {
      name: path,
      type: typeOf(document, described),
      isRequired: needed.includes(name),
      description: typeof text === "string" ? text : "",
    };
    return [row, ...rowsOf(document, described, path, depth + 1)];
  });
  return [...own, ...inParts];
}
