import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { closeServer, listenOnLoopback } from "../fake-server.ts";

/** One request to a scripted provider, answered piece by piece by the test. */
export interface Exchange {
  path: string;
  headers: IncomingMessage["headers"];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
  /** Sends the head. */
  head(status: number, headers?: Record<string, string>): void;
  /** Sends bytes at once; resolves when they have left. */
  write(bytes: Uint8Array | string): Promise<void>;
  end(): void;
  /** Breaks the connection in the middle. */
  drop(): void;
  /** Resolves when the client has closed the connection before the answer was whole. */
  cut: Promise<void>;
}

export type Reply = (exchange: Exchange) => void | Promise<void>;

/** A model provider on a real socket that does what the test says, request after request. */
export interface ProviderServer extends AsyncDisposable {
  url: string;
  /** Everything that was asked so far. */
  exchanges: Exchange[];
  /** What to do with the next requests to a model, in order. */
  script(...replies: Reply[]): void;
  /** The next request that comes, once it is there. */
  next(): Promise<Exchange>;
}

export async function startProviderServer(): Promise<ProviderServer> {
  const exchanges: Exchange[] = [];
  const replies: Reply[] = [];
  const waiting: ((exchange: Exchange) => void)[] = [];
  const server = createServer(async (request, response) => {
    // A look whether it answers, which comes at any time, takes no reply of a turn.
    const isLook = request.method === "GET" || request.url?.endsWith("/api/show");
    if (isLook) return void response.writeHead(501).end();
    const exchange = await toExchange(request, response);
    exchanges.push(exchange);
    waiting.shift()?.(exchange);
    const reply = replies.shift() ?? answerStatus(501, { error: { message: "not scripted" } });
    await reply(exchange);
  });
  return {
    url: await listenOnLoopback(server),
    exchanges,
    script: (...more) => void replies.push(...more),
    next: () => new Promise((resolve) => waiting.push(resolve)),
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}

/** A whole JSON answer. */
export function answerStatus(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Reply {
  return async (exchange) => {
    exchange.head(status, { "content-type": "application/json", ...headers });
    await exchange.write(typeof body === "string" ? body : JSON.stringify(body));
    exchange.end();
  };
}

/** A whole streamed answer, one write for each chunk. */
export function answerChunks(contentType: string, chunks: readonly Uint8Array[]): Reply {
  return async (exchange) => {
    exchange.head(200, { "content-type": contentType });
    for (const chunk of chunks) await exchange.write(chunk);
    exchange.end();
  };
}

/** The same bytes, cut into pieces of this size: in the middle of lines, characters and frames. */
export function inPieces(chunks: readonly Uint8Array[], sizeBytes: number): Uint8Array[] {
  const whole = Buffer.concat(chunks);
  const count = Math.ceil(whole.length / sizeBytes);
  return Array.from({ length: count }, (_, at) =>
    whole.subarray(at * sizeBytes, (at + 1) * sizeBytes),
  );
}

async function toExchange(request: IncomingMessage, response: ServerResponse): Promise<Exchange> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const text = Buffer.concat(parts).toString();
  const cut = new Promise<void>((resolve) => {
    response.once("close", () => {
      if (!response.writableFinished) resolve();
    });
  });
  return {
    path: request.url ?? "",
    headers: request.headers,
    body: text === "" ? undefined : JSON.parse(text),
    head: (status, headers = {}) => {
      response.writeHead(status, headers);
      response.flushHeaders();
    },
    write: (bytes) =>
      new Promise((resolve) => {
        if (response.destroyed) resolve();
        else response.write(bytes, () => resolve());
      }),
    end: () => void response.end(),
    drop: () => void response.destroy(),
    cut,
  };
}
