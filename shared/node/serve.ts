import { createServer, type IncomingMessage, type Server, type ServerOptions } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";

/** A request handler, and the address that it listens on. */
export interface ServeOptions {
  /** `incoming` is Node's request, which alone has the address of the client. */
  fetch(request: Request, incoming: IncomingMessage): Response | Promise<Response>;
  /** Required: without a host Node listens on every interface. */
  host: string;
  /** 0 means any free port. */
  port: number;
  /** The time for a request to arrive, body included; two minutes by default. */
  requestTimeoutMs?: number;
  /** For how long a client may read nothing of what is sent to it; two minutes by default, and at most twice as long. */
  unreadTimeoutMs?: number;
  /** The response to a request that cannot become a `Request`: a malformed Host or target. A plain 400 by default. */
  unreadable?(incoming: IncomingMessage): Response;
  /** Handles a request for a WebSocket. Where it is left out, such a request is an ordinary one. */
  onUpgrade?(incoming: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** A listening server. Disposing it stops accepting, lets running requests end, then closes the other connections. */
export interface RunningServer extends AsyncDisposable {
  port: number;
  server: Server;
  /** Accepts no further connection. Open ones continue. */
  stopAccepting(): void;
}

// A client that sends its request slowly holds a connection for this long.
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 120_000;
const TIMEOUT_CHECK_INTERVAL_MS = 2_000;
export const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const CLOSE_GRACE_MS = 500;
// Of all kinds; a further one is closed at once.
const CONNECTIONS_MAX = 4096;
const UNREAD_TIMEOUT_MS = 120_000;

/** @throws Error with the `code` of Node (`EADDRINUSE`, …) if it cannot listen. */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const server = createServer(serverOptions(options), requestListener(options));
  server.maxConnections = CONNECTIONS_MAX;
  if (options.onUpgrade) server.on("upgrade", options.onUpgrade);
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  const connections = trackConnections(server);
  const unreadCheck = endUnread(connections, options.unreadTimeoutMs ?? UNREAD_TIMEOUT_MS);
  let closed: Promise<void> | undefined;
  const stopAccepting = () => {
    closed ??= new Promise((resolve) => server.close(() => resolve()));
  };
  return {
    port,
    server,
    stopAccepting,
    async [Symbol.asyncDispose]() {
      stopAccepting();
      clearInterval(unreadCheck);
      server.closeIdleConnections();
      // Upgraded connections, too: `closeAllConnections` would omit them, and `close` waits for them.
      const impatience = setTimeout(() => {
        for (const connection of connections) connection.destroy();
      }, CLOSE_GRACE_MS);
      await closed;
      clearTimeout(impatience);
    },
  };
}

function trackConnections(server: Server): ReadonlySet<Socket> {
  const connections = new Set<Socket>();
  server.on("connection", (connection) => {
    connections.add(connection);
    connection.once("close", () => connections.delete(connection));
  });
  return connections;
}

/**
 * Ends connections whose client reads nothing. Node has no such bound: what is written to one stays in memory, and a list or
 * a file behind it stays open. One with nothing to read is left alone.
 */
function endUnread(connections: ReadonlySet<Socket>, timeoutMs: number): NodeJS.Timeout {
  const readBefore = new WeakMap<Socket, number>();
  const check = setInterval(() => {
    for (const connection of connections) {
      const waiting = connection.writableLength;
      const read = connection.bytesWritten - waiting;
      if (waiting > 0 && readBefore.get(connection) === read) connection.destroy();
      if (waiting > 0) readBefore.set(connection, read);
      else readBefore.delete(connection);
    }
  }, timeoutMs);
  return check.unref();
}

function serverOptions({
  onUpgrade,
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
}: ServeOptions): ServerOptions {
  return {
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // The handler refuses a request without a Host, with its own error.
    requireHostHeader: false,
    // Without this, a request with any other `Upgrade` header (such as h2c) would get no response.
    shouldUpgradeCallback: (request) =>
      onUpgrade !== undefined && request.headers.upgrade?.toLowerCase() === "websocket",
  };
}

function requestListener(options: ServeOptions) {
  let arriving: IncomingMessage | undefined;
  const listener = getRequestListener(
    (request, bindings) => options.fetch(request, bindings.incoming as IncomingMessage),
    {
      hostname: "localhost",
      // Called in the same tick for a request that cannot become a `Request`.
      errorHandler: (error) => {
        const unreadable = error instanceof Error && error.name === "RequestError";
        if (!unreadable) return Response.json({ error: "Internal server error." }, { status: 500 });
        return arriving && options.unreadable
          ? options.unreadable(arriving)
          : Response.json({ error: "The request is not valid." }, { status: 400 });
      },
    },
  );
  return (...[incoming, outgoing]: Parameters<typeof listener>) => {
    arriving = incoming as IncomingMessage;
    void listener(incoming, outgoing);
    arriving = undefined;
  };
}

function listen(server: Server, { host, port }: ServeOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
