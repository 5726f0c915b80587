import type { Document } from "../documents/document.ts";

/** The part of JSON Schema that the documents use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  format?: string;
  /** The schema of the JSON in a string. */
  contentSchema?: Schema;
  /** Set by the generator where names stay as they are; only for the fields of the schema itself. */
  keepsNames?: boolean;
}

const PREFIX = "#/components/schemas/";

/** The name of the component that a `$ref` means. */
export function nameOf(ref: string): string {
  if (!ref.startsWith(PREFIX)) throw new Error(`${ref} is no reference to a schema.`);
  return ref.slice(PREFIX.length);
}

/** Which schemas a document has, by name. */
export function componentsOf(document: Document): Record<string, Schema> {
  return document.components.schemas as Record<string, Schema>;
}

interface UsedFields {
  /** The names of the fields of the schema itself. */
  top: string[];
  hasSnakeCase: boolean;
  hasJsonFields: boolean;
}

/** What the fields of a schema are like, those of the schemas that it refers to included. */
export function usedFields(document: Document, schema: Schema | undefined): UsedFields {
  const components = componentsOf(document);
  const resolve = (part: Schema | undefined) => (part?.$ref ? components[nameOf(part.$ref)] : part);
  const seen = new Set<Schema>();
  const found = { hasSnakeCase: false, hasJsonFields: false };
  const visit = (part: Schema | undefined): void => {
    const target = resolve(part);
    if (!target || seen.has(target)) return;
    seen.add(target);
    for (const [name, field] of Object.entries(target.properties ?? {})) {
      found.hasSnakeCase ||= name.includes("_");
      found.hasJsonFields ||= field.contentSchema !== undefined;
      visit(field);
    }
    const { anyOf = [], oneOf = [], allOf = [] } = target;
    for (const inner of [...anyOf, ...oneOf, ...allOf]) visit(inner);
    visit(target.items);
    if (typeof target.additionalProperties === "object") visit(target.additionalProperties);
  };
  visit(schema);
  return { top: Object.keys(resolve(schema)?.properties ?? {}), ...found };
}

/** The names of the components that describe JSON in strings. */
export function contentNames(document: Document): Set<string> {
  const fields = Object.values(componentsOf(document)).flatMap(({ properties = {} }) =>
    Object.values(properties),
  );
  return new Set(
    fields.flatMap(({ contentSchema }) => (contentSchema?.$ref ? nameOf(contentSchema.$ref) : [])),
  );
}

/** The names of all fields that hold JSON in a string. */
export function jsonFieldNames(document: Document): string[] {
  const names = Object.values(componentsOf(document)).flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, { contentSchema }]) => (contentSchema ? name : [])),
  );
  return [...new Set(names)].sort();
}
