// The live OpenAPI document, as far as the page shows it. What is missing or of another shape is left out.

/** A schema of the document; its keywords are read where they are used. */
export type Schema = Readonly<Record<string, unknown>>;

/** A parameter of an operation. */
export interface ApiParameter {
  name: string;
  in: "path" | "query";
  isRequired: boolean;
  description: string;
  schema: Schema;
}

/** A response of an operation. */
interface ApiResponse {
  status: string;
  description: string;
  contentType: string | undefined;
  schema: Schema | undefined;
}

/** An operation of the document. */
export interface ApiOperation {
  id: string;
  tag: string;
  method: string;
  /** With the prefix of the API. */
  path: string;
  summary: string;
  description: string;
  parameters: readonly ApiParameter[];
  /** The schema of a JSON body; undefined where the operation reads none. */
  body: Schema | undefined;
  responses: readonly ApiResponse[];
}

const METHODS = ["get", "post", "put", "patch", "delete"];
const JSON_TYPE = "application/json";

/** The operations, in the order of the document. */
export function listedOperations(document: unknown): ApiOperation[] {
  return Object.entries(objectAt(document, "paths")).flatMap(([path, item]) =>
    Object.entries(Object(item))
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => toOperation(method.toUpperCase(), path, operation)),
  );
}

/** The schema that a reference names, or the schema itself. */
export function resolveSchema(document: unknown, schema: Schema): Schema {
  const { $ref } = schema;
  if (typeof $ref !== "string") return schema;
  const names = $ref.replace(/^#\//, "").split("/");
  return names.reduce<Schema>(objectAt, Object(document));
}

/** The name of the schema that a reference names. */
export function nameOfReference({ $ref }: Schema): string | undefined {
  return typeof $ref === "string" ? $ref.slice($ref.lastIndexOf("/") + 1) : undefined;
}

function toOperation(method: string, path: string, operation: unknown): ApiOperation {
  const { operationId, tags, summary, description, parameters } = Object(operation);
  const body = objectAt(objectAt(objectAt(operation, "requestBody"), "content"), JSON_TYPE);
  const schema = objectAt(body, "schema");
  return {
    id: textOf(operationId),
    tag: textOf(Array.isArray(tags) ? tags[0] : undefined),
    method,
    path,
    summary: textOf(summary),
    description: textOf(description),
    parameters: (Array.isArray(parameters) ? parameters : []).flatMap(toParameter),
    // A body of any value is not read.
    body: "$ref" in schema || "type" in schema ? schema : undefined,
    responses: Object.entries(objectAt(operation, "responses")).map(toResponse),
  };
}

function toParameter(parameter: unknown): ApiParameter[] {
  const { name, in: place, required, description } = Object(parameter);
  if (typeof name !== "string" || (place !== "path" && place !== "query")) return [];
  const schema = objectAt(parameter, "schema");
  return [
    { name, in: place, isRequired: required === true, description: textOf(description), schema },
  ];
}

function toResponse([status, response]: [string, unknown]): ApiResponse {
  const [content] = Object.entries(objectAt(response, "content"));
  return {
    status,
    description: textOf(Object(response).description),
    contentType: content?.[0],
    schema: content && objectAt(content[1], "schema"),
  };
}

function objectAt(holder: unknown, name: string): Schema {
  const value = Object(holder)[name];
  return typeof value === "object" && value !== null ? value : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
