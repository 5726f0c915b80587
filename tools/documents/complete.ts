import { ignoredBody } from "../../engine/http/ignored-body.ts";
import type {
  CommonResponse,
  OperationFacts,
  ProgramDocument,
} from "../../shared/http/program-document.ts";
import { isJsonObject } from "../../shared/json.ts";
import type { Document, JsonObject, Operation } from "./document.ts";

/** The document of declared routes, with what holds for all operations of the program, in a fixed order. */
export function completeDocument(declared: Document, program: ProgramDocument): Document {
  const { components } = declared;
  const paths = mapValues(declared.paths, (operations, path) =>
    mapValues(operations, (operation, method) =>
      completeOperation(operation, { method, path: path.slice(program.prefix.length) }, program),
    ),
  );
  const own = Object.entries(components.schemas).filter(([name]) => !(name in program.components));
  const schemas = mapValues(Object.fromEntries(own), orderSchema);
  return {
    openapi: declared.openapi,
    info: declared.info,
    servers: declared.servers,
    tags: Object.entries(program.tags).map(([name, description]) => ({ name, description })),
    security: declared.security,
    paths,
    components: { ...components, schemas: { ...schemas, ...program.components } },
  };
}

function completeOperation(
  operation: Operation,
  place: Pick<OperationFacts, "method" | "path">,
  program: ProgramDocument,
): Operation {
  const { operationId, tags, summary, description, responses, ...rest } = operation;
  const { parameters, requestBody, security, ...others } = rest;
  const facts = {
    ...place,
    needsBearer: security === undefined || security.some((one) => "bearer" in one),
    hasJsonBody:
      requestBody !== undefined && requestBody.description !== ignoredBody.body.description,
  };
  return {
    operationId,
    tags,
    summary,
    description,
    ...(security === undefined ? {} : { security }),
    ...(parameters === undefined ? {} : { parameters: parameters.map(describeParameter) }),
    ...(requestBody === undefined ? {} : { requestBody }),
    ...others,
    responses: withCommon(responses, program.responses, facts),
  };
}

/** zod-to-openapi gives a parameter and its schema the same description. */
function describeParameter({ schema, ...parameter }: JsonObject): JsonObject {
  const { description: inner, ...others } = isJsonObject(schema) ? schema : {};
  const { description, ...rest } = parameter;
  if (inner !== undefined && inner !== description) return { ...parameter, schema };
  return { ...rest, description, schema: others };
}

/** What the route declares comes first; a common response fills a gap. */
function withCommon(
  declared: Readonly<Record<string, JsonObject>>,
  common: readonly CommonResponse[],
  facts: OperationFacts,
): Record<string, JsonObject> {
  const content = { "application/json": { schema: { $ref: "#/components/schemas/ErrorBody" } } };
  const added = common
    .filter(({ status, appliesTo }) => !(status in declared) && appliesTo(facts))
    .map(({ status, about }) => [status, { description: about, content }] as const);
  return { ...declared, ...Object.fromEntries(added) };
}

/** The schema with its description first, in the OpenAPI document the one of HTTP if there are two. */
export function orderSchema(schema: JsonObject): JsonObject {
  const reference = describedReference(schema);
  if (reference) return reference;
  const { description, http, contentMediaType, contentSchema, example, ...rest } = schema;
  const ordered: Record<string, unknown> = {
    ...withoutUndefined({
      description: http ?? description,
      contentMediaType,
      contentSchema,
      example,
    }),
    ...rest,
  };
  if (Array.isArray(schema.enum) && Array.isArray(schema.type) && schema.type.includes("null")) {
    // zod-to-openapi leaves the null out of the values.
    ordered.enum = [...new Set([...schema.enum, null])];
  }
  if (isJsonObject(schema.items)) ordered.items = orderSchema(schema.items);
  for (const union of ["allOf", "anyOf", "oneOf"] as const) {
    const members = schema[union];
    if (Array.isArray(members)) ordered[union] = members.map(orderSchema);
  }
  if (isJsonObject(schema.properties)) {
    ordered.properties = mapValues(schema.properties as Record<string, JsonObject>, orderSchema);
  }
  return ordered;
}

/** zod-to-openapi writes a reference with a description of its own as `allOf`. */
function describedReference({ allOf, ...rest }: JsonObject): JsonObject | undefined {
  if (!Array.isArray(allOf) || allOf.length !== 2 || Object.keys(rest).length > 0) return undefined;
  const [reference, { description, ...more }] = allOf;
  if (Object.keys(more).length > 0) return undefined;
  return { description, ...reference };
}

function withoutUndefined(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

function mapValues<Value, Result>(
  object: Readonly<Record<string, Value>>,
  map: (value: Value, key: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}
