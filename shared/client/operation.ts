/** A row of the table of operations: how a client calls one. */
export interface Operation {
  /** The namespace and the method: `threads.list`. */
  as: string;
  /** The method of HTTP and the path: `GET /threads/{uuid}`. */
  to: string;
  /** The names of the parameters in the query. */
  query: readonly string[];
  /** Its deviations from the usual operation. */
  traits: readonly Trait[];
}

/**
 * What an operation may have: a `body`, whose fields are in snake_case with `snakeBody`; an answer of `bytes`, of `events`, or a
 * `socket`, in the place of JSON or nothing; one whose fields are in snake_case; fields with JSON in a string; use for a session.
 */
export type Trait =
  | "body"
  | "snakeBody"
  | "snakeAnswer"
  | "json"
  | "session"
  | "bytes"
  | "events"
  | "socket";

/** The last argument of every call. */
export interface CallOptions {
  /** Aborts the request. */
  signal?: AbortSignal | undefined;
}

/** A method for each operation, by its id in `operations`, and in the namespace of its tag. */
export function bindOperations(
  table: Readonly<Record<string, Operation>>,
  call: (operation: Operation, args: readonly unknown[]) => unknown,
): Record<string, Record<string, unknown>> {
  const operations: Record<string, unknown> = {};
  const namespaces: Record<string, Record<string, unknown>> = {};
  for (const [id, operation] of Object.entries(table)) {
    const method = (...args: unknown[]) => call(operation, args);
    const [tag = "", name = ""] = operation.as.split(".");
    operations[id] = method;
    namespaces[tag] = { ...namespaces[tag], [name]: method };
  }
  return { ...namespaces, operations };
}
