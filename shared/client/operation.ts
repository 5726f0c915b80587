/** A row of the table of operations: how a client calls one. */
export interface Operation {
  /** The namespace and the method: `threads.list`. */
  as: string;
  /** The method of HTTP and the path: `GET /threads/{uuid}`. */
  to: string;
  /** The names of the parameters in the query. */
  query: readonly string[];
  flags: Flags;
}

/**
 * What is unusual about an operation, one letter each: `b` it has a body, whose fields are in snake_case with `s`; `a` fields of
 * its answer are; `j` fields hold JSON in a string; `u` it may use a session. Its answer is JSON or nothing, or else: `B` bytes,
 * `E` events, `W` a WebSocket.
 */
type Flags = string;

/** What every call takes at its end. */
export interface CallOptions {
  /** Gives the request up. */
  signal?: AbortSignal | undefined;
}
