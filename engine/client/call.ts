import { toCamelCase } from "../../shared/client/names.ts";
import type { Operation } from "../../shared/client/operation.ts";
import { type ClientRequest, describeRequest } from "../../shared/client/request.ts";
import { parseJson } from "../../shared/json.ts";
import type { Connection } from "./connection.ts";
import { EngineError } from "./errors.ts";
import { readStream } from "./event-stream.ts";
import { JSON_FIELDS } from "./operations.generated.ts";

/** Calls an operation with the arguments of its method: `(…ids, input?, options?)`. */
export function callOperation(
  connection: Connection,
  operation: Operation,
  args: readonly unknown[],
): unknown {
  if (operation.traits.includes("events")) return readEvents(connection, operation, args);
  if (operation.traits.includes("socket")) {
    const { path, signal } = toRequest(operation, args);
    return connection.openSocket(path, signal);
  }
  return readAnswer(connection, operation, args);
}

/** The pages of a list: its call as it is given, then what its `Link` headers lead to. */
export async function* readPages(
  connection: Connection,
  operation: Operation,
  args: readonly unknown[],
): AsyncGenerator<unknown, void> {
  const request = toRequest(operation, args);
  const [list] = request.path.split("?");
  for (let path: string | undefined = request.path; path !== undefined; ) {
    const response = await connection.send({ ...request, path });
    yield await toAnswer(connection, operation, { request, response });
    const [, next] = /<([^<>]*)>; rel="next"/.exec(response.headers.get("link") ?? "") ?? [];
    // The host of a link is what the engine was called by; the client may have found it elsewhere.
    path = next && `${list}${new URL(next, "http://engine").search}`;
  }
}

async function readAnswer(
  connection: Connection,
  operation: Operation,
  args: readonly unknown[],
): Promise<unknown> {
  const request = toRequest(operation, args);
  return toAnswer(connection, operation, { request, response: await connection.send(request) });
}

async function toAnswer(
  connection: Connection,
  operation: Operation,
  { request, response }: { request: ClientRequest; response: Response },
): Promise<unknown> {
  try {
    if (operation.traits.includes("bytes")) return await response.blob();
    const text = await response.text();
    return text === "" ? undefined : fromWire(operation, JSON.parse(text));
  } catch (cause) {
    connection.until(request.signal).throwIfAborted();
    const message = `The answer of ${operation.to} could not be read.`;
    throw new EngineError(message, { status: response.status, cause });
  }
}

/** An event with a type is `{id, event, data}`; one without is its data. */
async function* readEvents(
  connection: Connection,
  operation: Operation,
  args: readonly unknown[],
): AsyncGenerator<unknown> {
  for await (const read of readStream(connection, toRequest(operation, args))) {
    if (!("event" in read)) continue;
    const { id, event, data } = read;
    const value = fromWire(operation, data === "" ? "" : JSON.parse(data));
    yield event ? { id, event, data: value } : value;
  }
}

function toRequest(operation: Operation, args: readonly unknown[]): ClientRequest {
  return describeRequest(
    operation,
    args,
    operation.traits.includes("json") ? encodeJsonFields : undefined,
  );
}

function fromWire({ traits }: Operation, value: unknown): unknown {
  const named = traits.includes("snakeAnswer") ? toCamelCase(value) : value;
  return traits.includes("json") ? parseJsonFields(named) : named;
}

// Between the wire and the client: names in camelCase, and JSON in strings as values.

/** Encodes the values of JSON fields. A malformed one is sent as it was received; a string counts as encoded JSON. @internal for tests */
export function encodeJsonFields(value: unknown): unknown {
  return mapJsonFields(value, (field) => {
    if (typeof field === "string" || field === null || field === undefined) return field;
    const { malformed } = field as { malformed?: unknown };
    return typeof malformed === "string" ? malformed : JSON.stringify(field);
  });
}

/** Decodes the strings of JSON fields; `{malformed}` if a string holds no JSON. @internal for tests */
export function parseJsonFields(value: unknown): unknown {
  return mapJsonFields(value, (field) => {
    if (typeof field !== "string") return field;
    const value = parseJson(field);
    return value === undefined ? { malformed: field } : value;
  });
}

/** Those of an object, or of the objects of a list. */
function mapJsonFields(value: unknown, map: (field: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => mapJsonFields(entry, map));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    JSON_FIELDS.includes(name) ? map(field) : field,
  ]);
  return Object.fromEntries(fields);
}
