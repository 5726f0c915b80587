/** A row of the table of operations: how the client calls one. What is usual is left out. */
export interface Operation {
  /** The namespace and the method: `threads.list`. */
  as: string;
  /** The method of HTTP and the path: `GET /threads/{uuid}`. */
  to: string;
  /** The names of the parameters in the query. */
  query?: readonly string[];
  /** 1 where there is a body. */
  body?: 1;
  /** Anything but JSON or nothing. */
  answer?: "bytes" | "events" | "socket";
  /** 1 where a session is needed, or may be used. */
  bearer?: 1;
  /** 1 where names of fields are in snake_case on the wire. */
  snakeBody?: 1;
  snakeAnswer?: 1;
  /** 1 where fields hold JSON in a string. */
  jsonFields?: 1;
}

/** What every call takes at its end. */
export interface CallOptions {
  /** Gives the request up. */
  signal?: AbortSignal | undefined;
}
