import type { Document } from "../documents/document.ts";
import { toCamelCase, toTypeName } from "./names.ts";
import type { ClientOperation, Parameter } from "./operations.ts";
import { componentsOf, contentNames, nameOf, type Schema } from "./schemas.ts";

const HEADER = `import type { CallOptions } from "../../shared/client/operation.ts";

export type { CallOptions };

/** A stored string that should hold JSON, and does not. */
export interface Malformed {
  malformed: string;
}

/** An event of a stream, as it came. */
export interface StreamedEvent {
  id: string;
  event: string;
  data: unknown;
}
`;

/** The module with the type of every component, and the methods of every namespace. */
export function writeTypes(
  document: Document,
  operations: readonly ClientOperation[],
  program: string,
): string {
  const stored = contentNames(document);
  const components = Object.entries(componentsOf(document)).map(([name, schema]) =>
    writeComponent(name, stored.has(name) ? keepNames(schema) : schema),
  );
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const namespaces = tags.map((tag) =>
    writeNamespace(
      tag,
      operations.filter((operation) => operation.tag === tag),
    ),
  );
  const source = `// Written by \`npm run client:generate\` from ${program}/openapi.json.`;
  return [
    source,
    HEADER,
    ...components,
    ...namespaces,
    writeApi(tags),
    writeOperations(operations),
  ].join("\n");
}

function writeComponent(name: string, schema: Schema): string {
  const comment = writeComment(schema.description, "");
  if (schema.properties) return `${comment}export interface ${name} ${writeType(schema, "")}\n`;
  return `${comment}export type ${name} = ${writeType(schema, "")};\n`;
}

function writeNamespace(tag: string, operations: readonly ClientOperation[]): string {
  const methods = operations.map(
    (operation) =>
      `${writeComment(`${operation.summary}.`, "  ")}  ${operation.name}${writeSignature(operation)};\n`,
  );
  return `/** The operations of the tag \`${tag}\`. */\nexport interface ${toTypeName(tag)}Namespace {\n${methods.join("")}}\n`;
}

/** `(…ids, input, options?): answer`. */
function writeSignature({ ids, query, body, needsBody, answer }: ClientOperation): string {
  const parts = [
    ...(query.length > 0 ? [writeQuery(query)] : []),
    ...(body ? [writeType(body, "  ")] : []),
  ];
  const isNeeded = needsBody || query.some(({ required }) => required);
  const input = parts.length > 0 ? [`input${isNeeded ? "" : "?"}: ${parts.join(" & ")}`] : [];
  const given = [...ids.map((name) => `${name}: ${name === "rootIndex" ? "number" : "string"}`)];
  return `(${[...given, ...input, "options?: CallOptions"].join(", ")}): ${writeAnswer(answer)}`;
}

function writeQuery(query: readonly Parameter[]): string {
  const required = query
    .filter((parameter) => parameter.required)
    .map(({ name }) => toCamelCase(name));
  const properties = Object.fromEntries(
    query.map(({ name, schema, description }) => [toCamelCase(name), { ...schema, description }]),
  );
  return writeType({ type: "object", properties, required }, "  ");
}

function writeAnswer(answer: ClientOperation["answer"]): string {
  switch (answer.kind) {
    case "json":
      return `Promise<${writeType(answer.schema, "  ")}>`;
    case "events":
      return `AsyncIterable<${answer.schema.$ref ? nameOf(answer.schema.$ref) : "StreamedEvent"}>`;
    case "nothing":
      return "Promise<void>";
    case "bytes":
      return "Promise<Blob>";
    case "socket":
      return "Promise<WebSocket>";
  }
}

function writeApi(tags: readonly string[]): string {
  const fields = tags.map((tag) => `  ${tag}: ${toTypeName(tag)}Namespace;\n`);
  return `/** The namespaces. */\nexport interface Namespaces {\n${fields.join("")}}\n`;
}

function writeOperations(operations: readonly ClientOperation[]): string {
  const fields = operations.map(
    ({ id, tag, name }) => `  ${id}: ${toTypeName(tag)}Namespace["${name}"];\n`,
  );
  return `/** Every operation by its \`operationId\`. */\nexport interface Operations {\n${fields.join("")}}\n`;
}

/** What a string holds is stored as it is, so the names in it are not changed. */
function keepNames(schema: Schema): Schema {
  return { ...schema, keepsNames: true };
}

/** A schema as a type. Names are in camelCase, and a string that holds JSON is its value. */
function writeType(schema: Schema, indent: string): string {
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const parts = schema.anyOf ?? schema.oneOf;
  if (parts) return parts.map((part) => writeType(part, indent)).join(" | ");
  if (schema.allOf) return schema.allOf.map((part) => writeType(part, indent)).join(" & ");
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return "unknown";
  return types.map((type) => writeSimpleType(type, schema, indent)).join(" | ");
}

function writeSimpleType(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case "string":
      return schema.contentSchema
        ? `${writeType(schema.contentSchema, indent)} | Malformed`
        : "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
    case "null":
      return type;
    case "array":
      return `Array<${writeType(schema.items ?? {}, indent)}>`;
    case "object":
      return schema.properties ? writeObject(schema, indent) : writeMap(schema, indent);
    default:
      throw new Error(`The generator does not know the type ${type}.`);
  }
}

function writeObject(schema: Schema, indent: string): string {
  const { properties = {}, required = [], keepsNames = false } = schema;
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, field]) => {
    const mark = required.includes(name) ? "" : "?";
    return `${writeComment(field.description, inner)}${inner}${keepsNames ? name : toCamelCase(name)}${mark}: ${writeType(field, inner)};\n`;
  });
  return `{\n${fields.join("")}${indent}}`;
}

function writeMap({ additionalProperties }: Schema, indent: string): string {
  const value =
    typeof additionalProperties === "object" ? writeType(additionalProperties, indent) : "unknown";
  return `Record<string, ${value}>`;
}

function writeComment(text: string | undefined, indent: string): string {
  return text ? `${indent}/** ${text.replaceAll("*/", "*\\/")} */\n` : "";
}
