import type { ClientRequest, Connection } from "./connection.ts";
import { EngineError } from "./errors.ts";
import { readStream } from "./event-stream.ts";
import { encodeJsonFields, parseJsonFields, toCamelCase, toSnakeCase } from "./fields.ts";
import type { Operation } from "./operation.ts";
import type { CallOptions } from "./wire.generated.ts";

/** Calls an operation with the arguments of its method: `(…ids, input?, options?)`. */
export function callOperation(
  connection: Connection,
  openSocket: (path: string, options: CallOptions) => Promise<WebSocket>,
  operation: Operation,
  args: readonly unknown[],
): unknown {
  if (operation.answer === "events") return readEvents(connection, operation, args);
  if (operation.answer === "socket") {
    const { path, signal } = toRequest(operation, args);
    return openSocket(path, { signal });
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
    const [, next] = /<([^>]*)>; rel="next"/.exec(response.headers.get("link") ?? "") ?? [];
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
    if (operation.answer === "bytes") return await response.blob();
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
  const [method = "", template = ""] = operation.to.split(" ");
  let taken = 0;
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    toSegment(operation, name, args[taken++]),
  );
  const hasInput = operation.body !== undefined || operation.query !== undefined;
  const input = hasInput ? args[taken++] : undefined;
  const { signal } = Object(args[taken]) as CallOptions;
  const { query, rest } = splitInput(operation, input);
  const body = operation.body ? JSON.stringify(toWire(operation, rest)) : undefined;
  return { method, path: `${path}${query}`, body, signal };
}

/** An id as one segment of a path. `..` would lead to another path. */
function toSegment({ as }: Operation, name: string, id: unknown): string {
  const text = typeof id === "number" ? String(id) : id;
  if (typeof text !== "string" || /^(|\.\.?)$/.test(text)) {
    throw new TypeError(`${as}: ${name} must be an id.`);
  }
  return encodeURIComponent(text);
}

/** The fields of an input that go into the query, and the others. */
function splitInput({ query: names = [] }: Operation, input: unknown) {
  if (names.length === 0) return { query: "", rest: input };
  const query = new URLSearchParams();
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(Object(input) as Record<string, unknown>)) {
    if (!names.includes(name)) rest[name] = value;
    else if (value !== undefined && value !== null) query.set(name, String(value));
  }
  return { query: query.size > 0 ? `?${query}` : "", rest };
}

function toWire({ jsonFields, snakeBody }: Operation, input: unknown): unknown {
  const encoded = jsonFields ? encodeJsonFields(input) : input;
  return snakeBody ? toSnakeCase(encoded) : encoded;
}

function fromWire({ jsonFields, snakeAnswer }: Operation, value: unknown): unknown {
  const named = snakeAnswer ? toCamelCase(value) : value;
  return jsonFields ? parseJsonFields(named) : named;
}
