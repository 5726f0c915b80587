import type { Document, Operation } from "../documents/document.ts";
import { toCamelCase } from "./names.ts";
import { type Schema, usedFields } from "./schemas.ts";

/** An operation as the client calls it. */
export interface ClientOperation {
  id: string;
  /** The namespace, and the method in it. */
  tag: string;
  name: string;
  method: string;
  /** Without the prefix of the API. */
  path: string;
  summary: string;
  /** The names of the path's parameters, in camelCase. */
  ids: string[];
  query: Parameter[];
  body: Schema | undefined;
  /** Whether the body must be there. */
  needsBody: boolean;
  /** Whether a session is needed, or may be used. */
  takesBearer: boolean;
  answer: Answer;
  /** Whether a field of the body, or of the answer, is in snake_case. */
  hasSnakeBody: boolean;
  hasSnakeAnswer: boolean;
  /** Whether a field of either holds JSON in a string. */
  hasJsonFields: boolean;
}

export interface Parameter {
  name: string;
  required: boolean;
  description: string;
  schema: Schema;
}

/** What comes back; events are those of a `text/event-stream`. */
type Answer =
  | { kind: "json" | "events"; schema: Schema }
  | { kind: "nothing" | "bytes" | "socket" };

/** Every operation of a document, in its order. @throws where two would have the same name. */
export function describeOperations(document: Document, prefix: string): ClientOperation[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      describe(document, { method, path: path.slice(prefix.length), operation }),
    ),
  );
  const names = operations.map(({ tag, name }) => `${tag}.${name}`);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  if (twice.length > 0) throw new Error(`Operations of the same name: ${twice.join(", ")}`);
  return operations;
}

function describe(
  document: Document,
  { method, path, operation }: { method: string; path: string; operation: Operation },
): ClientOperation {
  // The writer of the documents gives every operation an id, a tag and a summary.
  const declared = operation as unknown as Declared;
  const { operationId: id, tags, summary, parameters = [], requestBody, security } = declared;
  const tag = tags[0] ?? "";
  const query = parameters.filter((parameter) => parameter.in === "query");
  // A body that is not read has no fields.
  const declaredBody = requestBody?.content["application/json"]?.schema;
  const body = requestBody?.required || declaredBody?.$ref ? declaredBody : undefined;
  const answer = answerOf(declared);
  const bodyFields = usedFields(document, body);
  const answerFields = usedFields(document, "schema" in answer ? answer.schema : undefined);
  refuseSameName(id, query, bodyFields.top);
  return {
    id,
    tag,
    name: methodName(id, tag),
    method: method.toUpperCase(),
    path,
    summary,
    ids: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => toCamelCase(name)),
    query: query.map((parameter) => ({ ...parameter, required: parameter.required === true })),
    body,
    needsBody: requestBody?.required === true,
    takesBearer: (security ?? document.security ?? []).some((way) => Object.keys(way).length > 0),
    answer,
    hasSnakeBody: bodyFields.hasSnakeCase,
    hasSnakeAnswer: answerFields.hasSnakeCase,
    hasJsonFields: bodyFields.hasJsonFields || answerFields.hasJsonFields,
  };
}

interface Declared {
  operationId: string;
  tags: string[];
  summary: string;
  security?: readonly object[];
  parameters?: (Parameter & { in: string })[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

/** `createThread` in `threads` is `create`: the noun of the tag is left out. */
function methodName(id: string, tag: string): string {
  const noun = `${tag.charAt(0).toUpperCase()}${tag.slice(1)}`;
  const word = [noun, noun.replace(/s$/, "")].find((one) => endOfWord(id, one) > 0);
  if (word === undefined) return id;
  const end = endOfWord(id, word);
  return id.slice(0, end - word.length) + id.slice(end);
}

/** Where the word ends in an id, if a capital or the end of the id follows; 0 otherwise. */
function endOfWord(id: string, word: string): number {
  const at = id.indexOf(word);
  const end = at + word.length;
  const next = id.charAt(end);
  return at >= 0 && next === next.toUpperCase() ? end : 0;
}

function answerOf({ responses }: Declared): Answer {
  if (responses["101"]) return { kind: "socket" };
  const [, response] = Object.entries(responses).find(([status]) => /^2\d\d$/.test(status)) ?? [];
  const content = response?.content;
  if (!content) return { kind: "nothing" };
  const events = content["text/event-stream"];
  if (events) return { kind: "events", schema: events.schema };
  const json = content["application/json"];
  return json ? { kind: "json", schema: json.schema } : { kind: "bytes" };
}

// Query and body are one argument of the client, so a name can be in one of them alone.
function refuseSameName(id: string, query: readonly Parameter[], fields: readonly string[]): void {
  const both = query.filter(({ name }) => fields.includes(name)).map(({ name }) => name);
  if (both.length > 0) throw new Error(`${id}: in the query and in the body: ${both.join(", ")}`);
}
