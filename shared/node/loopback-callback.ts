import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onAbort } from "../on-abort.ts";

/** The loopback listener of a native login (RFC 8252 §7.3): a port that waits for one redirect. */
interface LoopbackCallback extends AsyncDisposable {
  /** The `redirect_to` of the login. */
  url: string;
  /** Waits for the first redirect that `accepts`, and returns its query. @throws the signal's reason */
  next(accepts: (query: URLSearchParams) => boolean, signal: AbortSignal): Promise<URLSearchParams>;
}

const PATH = "/callback";
const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "Content-Security-Policy": "default-src 'none'",
  Connection: "close",
};

export async function openLoopbackCallback(): Promise<LoopbackCallback> {
  let receive: (query: URLSearchParams) => boolean = () => false;
  const server = createServer((request, response) => answer(request, response, receive));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    next: (accepts, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const forget = onAbort(signal, () => reject(signal.reason));
        receive = (query) => {
          if (!accepts(query)) return false;
          forget();
          resolve(query);
          return true;
        };
      }),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeIdleConnections();
      await once(server, "close");
    },
  };
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  receive: (query: URLSearchParams) => boolean,
): void {
  const [path, query = ""] = (request.url ?? "").split("?", 2);
  const taken = request.method === "GET" && path === PATH && receive(new URLSearchParams(query));
  response.writeHead(taken ? 200 : 400, HEADERS);
  response.end(
    page(taken ? "Done. You can close this window." : "This is not a sign-in redirect."),
  );
}

function page(sentence: string): string {
  return `<!doctype html><html lang="en"><title>Roundhouse</title><p>${sentence}</p></html>\n`;
}
