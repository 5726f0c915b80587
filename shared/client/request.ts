import { toSnakeCase, toSnakeName } from "./names.ts";
import type { CallOptions, Operation } from "./operation.ts";

/** One request, before it has an address. */
export interface ClientRequest {
  method: string;
  /** Below the prefix of the API, with its query. */
  path: string;
  body?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** The request of an operation with the arguments of its method: `(…ids, input?, options?)`. `encode` has the body. */
export function describeRequest(
  operation: Operation,
  args: readonly unknown[],
  encode: (body: unknown) => unknown = (body) => body,
): ClientRequest {
  const [method = "", template = ""] = operation.to.split(" ");
  let taken = 0;
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    toSegment(operation, name, args[taken++]),
  );
  const hasInput = operation.traits.includes("body") || operation.query.length > 0;
  const input = hasInput ? args[taken++] : undefined;
  const { signal } = Object(args[taken]) as CallOptions;
  const { query, rest } = splitInput(operation, input);
  const rename = operation.traits.includes("snakeBody") ? toSnakeCase : (value: unknown) => value;
  const body = operation.traits.includes("body") ? JSON.stringify(rename(encode(rest))) : undefined;
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
function splitInput({ query: names }: Operation, input: unknown) {
  if (names.length === 0) return { query: "", rest: input };
  const query = new URLSearchParams();
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(Object(input) as Record<string, unknown>)) {
    const inQuery = [name, toSnakeName(name)].find((wire) => names.includes(wire));
    if (inQuery === undefined) rest[name] = value;
    else if (value !== undefined && value !== null) query.set(inQuery, String(value));
  }
  return { query: query.size > 0 ? `?${query}` : "", rest };
}
