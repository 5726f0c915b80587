type Node = Readonly<Record<string, unknown>>;

/** An object of OpenAPI 3.1: its fields, which of them it must have, and what their values are. */
interface Kind {
  name: string;
  fields: Readonly<Record<string, KindName | "map" | "any">>;
  required?: readonly string[];
  /** For `map`: the kind of each value of a field. */
  of?: Readonly<Record<string, KindName>>;
}

type KindName =
  | "document"
  | "info"
  | "components"
  | "pathItem"
  | "operation"
  | "requestBody"
  | "response"
  | "mediaType"
  | "parameter";

// The parts of the specification that our documents use. What is missing here is a fault, so that additions are deliberate.
const KINDS: Record<KindName, Kind> = {
  document: {
    name: "a document",
    fields: {
      openapi: "any",
      info: "info",
      servers: "any",
      security: "any",
      tags: "any",
      components: "components",
      paths: "map",
      webhooks: "any",
    },
    required: ["openapi", "info"],
    of: { paths: "pathItem" },
  },
  info: {
    name: "an info",
    fields: {
      title: "any",
      version: "any",
      summary: "any",
      description: "any",
      license: "any",
      contact: "any",
    },
    required: ["title", "version"],
  },
  components: {
    name: "components",
    fields: { schemas: "any", securitySchemes: "any", parameters: "any", responses: "map" },
    of: { responses: "response" },
  },
  pathItem: {
    name: "a path",
    fields: Object.fromEntries([
      ...["get", "put", "post", "delete", "options", "head", "patch", "trace"].map((method) => [
        method,
        "operation",
      ]),
      ["summary", "any"],
      ["description", "any"],
      ["parameters", "any"],
    ]),
  },
  operation: {
    name: "an operation",
    fields: {
      tags: "any",
      summary: "any",
      description: "any",
      operationId: "any",
      parameters: "any",
      requestBody: "requestBody",
      responses: "map",
      security: "any",
      deprecated: "any",
    },
    required: ["responses"],
    of: { responses: "response" },
  },
  requestBody: {
    name: "a request body",
    fields: { description: "any", content: "map", required: "any" },
    required: ["content"],
    of: { content: "mediaType" },
  },
  response: {
    name: "a response",
    fields: { description: "any", headers: "any", content: "map", links: "any" },
    required: ["description"],
    of: { content: "mediaType" },
  },
  mediaType: {
    name: "a media type",
    fields: { schema: "any", example: "any", examples: "any", encoding: "any" },
  },
  parameter: {
    name: "a parameter",
    fields: {
      name: "any",
      in: "any",
      description: "any",
      required: "any",
      deprecated: "any",
      schema: "any",
      content: "any",
      style: "any",
      explode: "any",
      example: "any",
      examples: "any",
    },
    required: ["name", "in"],
  },
};

/** What of a document is not OpenAPI 3.1: unknown and missing fields, dangling references, parameters of paths. */
export function findDocumentFaults(document: Node): string[] {
  return [
    ...faultsOf(document, "document", ""),
    ...danglingReferences(document, document),
    ...operationFaults(document),
  ];
}

function faultsOf(value: unknown, kindName: KindName, path: string): string[] {
  const kind = KINDS[kindName];
  if (!isNode(value)) return [`${path}: must be ${kind.name}`];
  if (typeof value.$ref === "string") return [];
  const missing = (kind.required ?? []).filter((name) => !(name in value));
  const nested = Object.entries(value).flatMap(([name, item]) => {
    const at = path === "" ? name : `${path}.${name}`;
    if (name.startsWith("x-")) return [];
    const field = kind.fields[name];
    if (field === undefined) return [`${at}: is no field of ${kind.name}`];
    if (field === "any") return [];
    if (field !== "map") return faultsOf(item, field, at);
    if (!isNode(item)) return [`${at}: must be an object`];
    const of = kind.of?.[name];
    return Object.entries(item).flatMap(([key, entry]) =>
      of === undefined ? [] : faultsOf(entry, of, `${at}.${key}`),
    );
  });
  return [...missing.map((name) => `${path}: needs ${name}`), ...nested];
}

function danglingReferences(value: unknown, document: Node): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => danglingReferences(item, document));
  if (!isNode(value)) return [];
  const { $ref } = value;
  if (typeof $ref === "string" && find(document, $ref) === undefined) {
    return [`${$ref}: leads nowhere`];
  }
  return Object.values(value).flatMap((item) => danglingReferences(item, document));
}

function find(document: Node, reference: string): unknown {
  if (!reference.startsWith("#/")) return undefined;
  return reference
    .slice(2)
    .split("/")
    .reduce<unknown>((at, name) => (isNode(at) ? at[name] : undefined), document);
}

/** Statuses, parameters, and that each `{name}` of a path is declared. */
function operationFaults({ paths }: Node): string[] {
  return Object.entries(isNode(paths) ? paths : {}).flatMap(([path, item]) =>
    Object.entries(isNode(item) ? item : {}).flatMap(([method, operation]) => {
      if (!isNode(operation)) return [];
      const at = `paths.${path}.${method}`;
      const parameters = Array.isArray(operation.parameters) ? operation.parameters : [];
      const declared = parameters.flatMap((one) =>
        isNode(one) && one.in === "path" ? one.name : [],
      );
      const named = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
      const statuses = Object.keys(isNode(operation.responses) ? operation.responses : {});
      return [
        ...parameters.flatMap((one, index) =>
          faultsOf(one, "parameter", `${at}.parameters.${index}`),
        ),
        ...named
          .filter((name) => !declared.includes(name))
          .map((name) => `${at}: no parameter ${name}`),
        ...declared
          .filter((name) => !named.includes(String(name)))
          .map((name) => `${at}: ${name} is not in the path`),
        ...statuses
          .filter((status) => !/^([1-5]\d\d|[1-5]XX|default)$/.test(status))
          .map((status) => `${at}: ${status} is no status`),
      ];
    }),
  );
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
