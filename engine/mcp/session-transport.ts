import {
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from "@modelcontextprotocol/client";
import type { EngineDeps } from "../deps.ts";
import { guardedFetch, ServerFault } from "./guarded-fetch.ts";
import { MCP_ANSWERS_MAX, MCP_LISTED_MAX, MCP_LISTED_VALUES_MAX } from "./limits.ts";
import type { McpServer } from "./server.ts";

// A stream that broke is resumed once; what is behind it may be a deployment.
const RECONNECTION = {
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 1_000,
  reconnectionDelayGrowFactor: 1,
  maxRetries: 1,
};

type Message = Parameters<StreamableHTTPClientTransport["send"]>[0];
type SendOptions = Parameters<StreamableHTTPClientTransport["send"]>[1];

/** Streamable HTTP to a server that may be hostile. `onFault` hears why the session cannot go on. */
export class SessionTransport extends StreamableHTTPClientTransport {
  readonly #onFault: (fault: ServerFault) => void;
  #answers = 0;

  constructor(
    deps: Pick<EngineDeps, "fetch">,
    server: McpServer,
    onFault: (fault: ServerFault) => void,
  ) {
    const options: StreamableHTTPClientTransportOptions = {
      fetch: guardedFetch(deps.fetch, server, onFault),
      // `guardedFetch` decides on redirects.
      redirectPolicy: "follow",
      reconnectionOptions: RECONNECTION,
    };
    super(server.endpoint, options);
    this.#onFault = onFault;
    // The client keeps it in front of its own.
    this.onmessage = (message) => this.#look(message);
  }

  /** Each answer to a request of the server is an HTTP request, and the server chooses how many it asks for. */
  override async send(message: Message, options?: SendOptions): Promise<void> {
    if (!Array.isArray(message) && !("method" in message)) {
      this.#answers += 1;
      if (this.#answers > MCP_ANSWERS_MAX) return this.#onFault(tooManyRequests());
    }
    return super.send(message, options);
  }

  #look(message: object): void {
    try {
      assertListable(message);
    } catch (fault) {
      if (fault instanceof ServerFault) this.#onFault(fault);
      throw fault;
    }
  }
}

function tooManyRequests(): ServerFault {
  return new ServerFault(`The server asked the engine for more than ${MCP_ANSWERS_MAX} answers.`);
}

/**
 * Refuses an answer that lists too much, before it is compared with a schema: that takes up to 10 µs a value, and finds
 * fault with each. Structured content is not compared.
 * @throws ServerFault
 */
function assertListable(message: object): void {
  if (!("result" in message)) return;
  const { tools, content } = (message.result ?? {}) as { tools?: unknown; content?: unknown };
  for (const list of [tools, content]) {
    if (Array.isArray(list) && list.length > MCP_LISTED_MAX) {
      throw new ServerFault(`The server sent more than ${MCP_LISTED_MAX} tools or parts at once.`);
    }
  }
  if (countValues([tools, content]) > MCP_LISTED_VALUES_MAX) {
    throw new ServerFault(`The server sent more than ${MCP_LISTED_VALUES_MAX} values at once.`);
  }
}

/** How many values a value has, those at any depth included. Stops behind the limit. */
function countValues(value: unknown): number {
  // A list of what to look at, as it may be nested too deeply to recurse.
  const found = [value];
  for (let at = 0; at < found.length && found.length <= MCP_LISTED_VALUES_MAX; at += 1) {
    const next = found[at];
    if (typeof next !== "object" || next === null) continue;
    for (const item of Object.values(next)) found.push(item);
  }
  return found.length;
}
