import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { type FakeServer, freePort, startFakeServer } from "../fake-server.ts";
import { json } from "../http.ts";
import { ScriptedModel, type ScriptedStep, scriptedChat } from "../providers/model.ts";
import { until } from "../time.ts";
import { type ChatHarness, createChatHarness } from "./chat.ts";
import type { EngineOverrides } from "./engine.ts";
import { NOTHING_ASKED } from "./files.ts";

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

const PROGRAM = fileURLToPath(
  new URL(
    "../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js",
    import.meta.url,
  ),
);

/** The project's own reference server, in a process, over Streamable HTTP. */
export async function startEverythingServer(): Promise<{ url: string } & AsyncDisposable> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, [PROGRAM, "streamableHttp"], { env, stdio: "ignore" });
  const ended = once(child, "exit");
  const url = `http://127.0.0.1:${port}`;
  await until("the reference server", async () => {
    if (child.exitCode !== null) throw new Error("The reference server ended at once.");
    return fetch(`${url}/mcp`).then(
      async (response) => {
        await response.body?.cancel();
        return true;
      },
      () => undefined,
    );
  });
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** A chat with MCP servers, whose model takes scripted steps. */
export interface McpHarness extends ChatHarness {
  model: ScriptedModel;
  /** Registers a server and switches it on for the thread. Returns the uuid of its record. */
  addServer(name: string, url: string, more?: object, toggles?: object): Promise<string>;
  /** The tools of MCP servers that a request to the model offered. */
  offered(request?: number): string[];
}

export const HEADER_CANARY = "mcp-canary-5d1c9b7a";

export async function createMcpHarness(
  steps: ScriptedStep[],
  {
    approvalConfig = NOTHING_ASKED,
    ...overrides
  }: EngineOverrides & { approvalConfig?: string } = {},
): Promise<McpHarness> {
  const model = new ScriptedModel(...steps);
  const harness = await createChatHarness(
    { chat: scriptedChat(model, { tools: [] }), fetch: globalThis.fetch, ...overrides },
    { approvalConfig },
  );
  const mcp: Record<string, unknown> = {};
  const { test, workspaceUuid } = harness;
  return Object.assign(harness, {
    model,
    async addServer(name: string, url: string, more: object = {}, toggles: object = {}) {
      const record = {
        name,
        toolType: "mcp",
        endpointUrl: `${url}/mcp`,
        authType: "api_key",
        authConfigJson: JSON.stringify({ Authorization: `Bearer ${HEADER_CANARY}` }),
        ...more,
      };
      const { uuid } = await json(await test.call("POST", "/tool-registry", record), 201);
      mcp[uuid] = { enabled: true, ...toggles };
      const toolsConfig = JSON.stringify({ mcp });
      await test.call("PUT", `/workspaces/${workspaceUuid}`, {
        name: "w",
        toolsConfig,
        approvalConfig,
      });
      return uuid as string;
    },
    offered: (request = 0) =>
      (model.requests[request]?.tools ?? [])
        .map(({ name }) => name)
        .filter((name) => name.startsWith("mcp_")),
  });
}
