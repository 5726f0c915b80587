import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { equalsConstantTime } from "../../shared/constant-time.ts";
import { KEEP_ALIVE_TIMEOUT_MS } from "../../shared/node/serve.ts";
import { readBearer } from "../../signin/http/bearer.ts";
import { HranaConnections } from "./hrana-connections.ts";
import { HranaStream } from "./hrana-stream.ts";
import { HranaStreams, type HranaTimes } from "./hrana-streams.ts";
import { HranaError, HranaPipeline } from "./hrana-wire.ts";

const BODY_BYTES_MAX = 16 * 1024 * 1024;
// The times of a libSQL server.
const DEFAULT_TIMES: HranaTimes = { idleMs: 10_000, lockWaitMs: 5_000 };

/** The response to one POST; undefined closes the connection without one. */
type PipelineReply = { status: number; body: unknown } | undefined;

/** The options of the development server. */
export interface LibsqlServerOptions {
  /** The database file. A missing one is created. */
  path: string;
  /** The bearer token that every request must carry. */
  authToken: string;
  /** 0, or nothing: any free port. */
  port?: number;
  times?: Partial<HranaTimes>;
  /** Pragmas of every connection. */
  pragmas?: readonly string[];
  /** For tests: loses, delays or fails the response to a request. */
  around?: (pipeline: HranaPipeline, run: () => Promise<PipelineReply>) => Promise<PipelineReply>;
}

/** A running server. */
export interface LibsqlServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, as DATABASE_URL. */
  url: string;
}

/**
 * libSQL over HTTP (Hrana 2) on an embedded file: the database of a Worker in development and tests. It listens on 127.0.0.1
 * only and requires its token. The SQL runs on the event loop, so it is not for production.
 */
export async function startLibsqlServer(options: LibsqlServerOptions): Promise<LibsqlServer> {
  const pragmas = ["journal_mode=WAL", "synchronous=NORMAL", ...(options.pragmas ?? [])];
  const connections = new HranaConnections(options.path, pragmas);
  const open = () => new HranaStream(connections);
  // The last connection that closes a WAL file checkpoints it: this one stays open.
  const keeper = open();
  const streams = new HranaStreams(open, { ...DEFAULT_TIMES, ...options.times });
  const server = createServer((request, response) => {
    serve(request, { ...options, streams }).then(
      (reply) => send(response, reply),
      () => send(response, refusal(500, "INTERNAL", "The request failed")),
    );
  });
  // A client whose thread was busy may send on a connection that was idle for longer than Node's 5 s.
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      streams[Symbol.dispose]();
      keeper[Symbol.dispose]();
      connections[Symbol.dispose]();
    },
  };
}

interface ServeOptions extends LibsqlServerOptions {
  streams: HranaStreams;
}

async function serve(request: IncomingMessage, options: ServeOptions): Promise<PipelineReply> {
  const path = request.url?.split("?")[0];
  const headers = new Headers({ authorization: request.headers.authorization ?? "" });
  if (!equalsConstantTime(readBearer(headers) ?? "", options.authToken)) {
    return refusal(401, "AUTH_JWT_INVALID", "The bearer token is missing or wrong");
  }
  if (request.method === "GET" && path === "/v2") return { status: 200, body: {} };
  if (request.method !== "POST" || path !== "/v2/pipeline") {
    return refusal(404, "NOT_FOUND", "Only POST /v2/pipeline is served here");
  }
  const text = await readText(request);
  if (text === undefined) return refusal(413, "TOO_LARGE", "The request is too large");
  const pipeline = parsePipeline(text);
  if (!pipeline) return refusal(400, "HRANA_PROTO_ERROR", "The request is not Hrana 2");
  const run = () => runPipeline(options.streams, pipeline);
  return options.around ? options.around(pipeline, run) : run();
}

async function runPipeline(streams: HranaStreams, pipeline: HranaPipeline): Promise<PipelineReply> {
  try {
    const { baton, results } = await streams.run(pipeline);
    return { status: 200, body: { baton, base_url: null, results } };
  } catch (error) {
    if (error instanceof HranaError) return refusal(400, error.code, error.message);
    throw error;
  }
}

function parsePipeline(text: string): HranaPipeline | undefined {
  try {
    return HranaPipeline.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

async function readText(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function refusal(status: number, code: string, message: string): PipelineReply {
  return { status, body: { message, code } };
}

function send(response: ServerResponse, reply: PipelineReply): void {
  if (!reply) {
    response.destroy();
    return;
  }
  response.writeHead(reply.status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(reply.body));
}
