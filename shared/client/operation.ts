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
