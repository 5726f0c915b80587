import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { type FakeServer, startFakeServer } from "../http/fake-server.ts";

/** A real MCP server on a loopback port, made with the official SDK; `register` gives it its tools, for each request anew. */
export async function startMcpServer(register: (server: McpServer) => void): Promise<FakeServer> {
  return startFakeServer(() => {
    const { fetch } = createMcpHandler(() => {
      const server = new McpServer({ name: "test-server", version: "1.2.3" });
      register(server);
      return server;
    });
    return (request) => fetch(request);
  });
}

/** A tool as it goes over the wire. */
export interface WireTool {
  name: string;
  description?: string;
  inputSchema?: unknown;
}

interface RpcRequest {
  id?: number | string;
  method: string;
  params?: Record<string, unknown>;
}

type RpcAnswer = Response | Promise<Response>;

/** What a hostile server does on a method; `undefined` leaves it to the default. */
export type RpcScript = Readonly<
  Record<string, (request: RpcRequest, http: Request) => RpcAnswer | undefined>
>;

/** A JSON-RPC answer. */
export function rpcResult({ id }: RpcRequest, result: unknown): Response {
  return Response.json({ jsonrpc: "2.0", id, result });
}

export function rpcError({ id }: RpcRequest, message: string, code = -32_000): Response {
  return Response.json({ jsonrpc: "2.0", id, error: { code, message } });
}

/** A server written by hand, that may do what no SDK would. Without a script it has one tool, `echo`. */
export async function startRpcServer(
  script: RpcScript,
  tools: readonly WireTool[] = [{ name: "echo" }],
): Promise<FakeServer> {
  const defaults: RpcScript = {
    initialize: (request) =>
      rpcResult(request, {
        protocolVersion: request.params?.protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "scripted", version: "0" },
      }),
    "tools/list": (request) =>
      rpcResult(request, {
        tools: tools.map((tool) => ({ inputSchema: { type: "object" }, ...tool })),
      }),
    "tools/call": (request) => rpcResult(request, { content: [{ type: "text", text: "done" }] }),
  };
  return startFakeServer(() => async (http, { body }) => {
    if (http.method !== "POST") {
      return (
        script[http.method]?.({ method: http.method }, http) ?? new Response(null, { status: 405 })
      );
    }
    const request = JSON.parse(body) as RpcRequest;
    const answer =
      script[request.method]?.(request, http) ?? defaults[request.method]?.(request, http);
    if (answer) return answer;
    if (request.id === undefined) return new Response(null, { status: 202 });
    return rpcError(request, "Method not found", -32_601);
  });
}

/** Two servers with a tool `echo` that answers `first` or `second`; the second one lists it before the first one does. */
export async function startRpcPair(): Promise<
  { first: FakeServer; second: FakeServer } & AsyncDisposable
> {
  const listed = Promise.withResolvers<void>();
  const saying = (text: string): RpcScript => ({
    "tools/call": (request) => rpcResult(request, { content: [{ type: "text", text }] }),
  });
  const echo = { tools: [{ name: "echo", inputSchema: { type: "object" } }] };
  const first = await startRpcServer({
    ...saying("first"),
    "tools/list": (request) => listed.promise.then(() => rpcResult(request, echo)),
  });
  const second = await startRpcServer({
    ...saying("second"),
    "tools/list": (request) => {
      setImmediate(listed.resolve);
      return rpcResult(request, echo);
    },
  });
  return {
    first,
    second,
    async [Symbol.asyncDispose]() {
      await first[Symbol.asyncDispose]();
      await second[Symbol.asyncDispose]();
    },
  };
}
