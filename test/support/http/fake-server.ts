import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";

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
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** A port that is free now, for programs that must know theirs before they start. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const url = await listenOnLoopback(server);
  await closeServer(server);
  return Number(new URL(url).port);
}
