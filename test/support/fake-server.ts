import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { KEEP_ALIVE_TIMEOUT_MS } from "../../shared/node/serve.ts";

const PORTS_FROM = 20_000;
const PORTS_UNTIL = 32_768;
const LANES = 16;
const PORTS_OF_LANE = (PORTS_UNTIL - PORTS_FROM) / LANES;

/** One request that a fake got, so that tests can assert what was asked and that nothing more was. */
export interface SeenRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: string;
}

/** A fake server on a loopback port. */
export interface FakeServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** What was asked since the last look. */
  takeRequests(): SeenRequest[];
}

/** Serves a fetch handler; the handler is made once the address is known. */
export async function startFakeServer(
  createHandler: (url: string) => (request: Request, seen: SeenRequest) => Promise<Response>,
): Promise<FakeServer> {
  const seen: SeenRequest[] = [];
  let handler: ReturnType<typeof createHandler> | undefined;
  const server = createServer(
    getRequestListener(async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const entry: SeenRequest = {
        method: request.method,
        path: pathname,
        query: searchParams,
        headers: request.headers,
        body: await request.clone().text(),
      };
      seen.push(entry);
      return handler ? handler(request, entry) : new Response(null, { status: 503 });
    }),
  );
  const url = await listenOnLoopback(server);
  handler = createHandler(url);
  return {
    url,
    takeRequests: () => seen.splice(0),
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}

export async function listenOnLoopback(server: Server, port = 0): Promise<string> {
  // A process that stood still for longer than Node's 5 s still finds its connections.
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

const givenPorts = new Set<number>();

/**
 * A port that is free now, for programs that must know theirs before they start. It is below those that a system gives by itself
 * to servers on port 0 and to outgoing connections, and in a part of them that belongs to this process: none of the other tests takes
 * it meanwhile.
 */
export async function freePort(): Promise<number> {
  const lane = Number(process.env.TEST_LANE ?? process.pid) % LANES;
  for (;;) {
    const port = PORTS_FROM + lane * PORTS_OF_LANE + randomInt(PORTS_OF_LANE);
    if (givenPorts.has(port) || !(await isFree(port))) continue;
    givenPorts.add(port);
    return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(false);
      else reject(error);
    });
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
