// Imported on first use: few turns have a server, and no start needs the SDK.
import { Client, type ClientOptions, type Progress, type Tool } from "@modelcontextprotocol/client";
import { withDeadline } from "../deadline.ts";
import type { EngineDeps } from "../deps.ts";
import { untilAborted } from "../until-aborted.ts";
import { VERSION } from "../version.ts";
import { type McpAnswer, toAnswer } from "./answer.ts";
import { toServerFault } from "./fault.ts";
import { ServerFault } from "./guarded-fetch.ts";
import {
  MCP_CALL_MS_MAX,
  MCP_CONNECT_MS_MAX,
  MCP_DESCRIPTION_BYTES_MAX,
  MCP_GOODBYE_MS_MAX,
  MCP_LIST_PAGES_MAX,
} from "./limits.ts";
import type { McpServer } from "./server.ts";
import { type ServerTool, ServerTools } from "./server-tool.ts";
import { SessionTransport } from "./session-transport.ts";

type ConnectionDeps = Pick<EngineDeps, "fetch" | "timers">;
type JsonSchemaValidator = NonNullable<ClientOptions["jsonSchemaValidator"]>;

const INFO = { name: "roundhouse", version: VERSION };

// Schemas of results are not compiled: a hostile pattern would cost more than the check gives.
const UNCHECKED: JsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

/** An open session with a server. Every failure is a ServerFault, but an abort, which is the signal's reason. */
export class McpConnection implements AsyncDisposable {
  readonly #deps: ConnectionDeps;
  readonly #server: McpServer;
  readonly #client: Client;
  readonly #transport: SessionTransport;
  readonly #definitions = new Map<string, Tool>();
  /** Aborts with a ServerFault where this session cannot go on. */
  readonly #broken = new AbortController();

  private constructor(deps: ConnectionDeps, server: McpServer) {
    this.#deps = deps;
    this.#server = server;
    this.#transport = new SessionTransport(deps, server, (fault) => this.#broken.abort(fault));
    // Without capabilities: sampling, roots and elicitation are refused.
    this.#client = new Client(INFO, {
      capabilities: {},
      jsonSchemaValidator: UNCHECKED,
      versionNegotiation: { mode: "auto" },
    });
  }

  static async open(
    deps: ConnectionDeps,
    server: McpServer,
    signal: AbortSignal,
  ): Promise<McpConnection> {
    const connection = new McpConnection(deps, server);
    try {
      await connection.#guarded(signal, MCP_CONNECT_MS_MAX, (options) =>
        connection.#client.connect(connection.#transport, options),
      );
    } catch (error) {
      await connection.#client.close().catch(() => {});
      throw error;
    }
    return connection;
  }

  get serverName(): string | null {
    return this.#clean(this.#client.getServerVersion()?.name);
  }

  get serverVersion(): string | null {
    return this.#clean(this.#client.getServerVersion()?.version);
  }

  /** The server's present tools. */
  async listTools(signal: AbortSignal): Promise<ServerTools> {
    const tools = new ServerTools(this.#server.text);
    if (!this.#client.getServerCapabilities()?.tools) return tools;
    await this.#guarded(signal, MCP_CONNECT_MS_MAX, async (options) => {
      let cursor: string | undefined;
      for (let page = 1; page <= MCP_LIST_PAGES_MAX; page += 1) {
        const params = cursor === undefined ? {} : { cursor };
        // A request of its own each time: `listTools` may answer from a cache.
        const listed = await this.#client.request({ method: "tools/list", params }, options);
        for (const tool of listed.tools) {
          if (tools.add(tool))
            this.#definitions.set(tool.name, { ...tool, outputSchema: undefined });
        }
        cursor = listed.nextCursor;
        if (cursor === undefined || tools.isFull) return;
      }
    });
    return tools;
  }

  async callTool(
    { name }: ServerTool,
    args: Record<string, unknown>,
    { signal, onProgress }: { signal: AbortSignal; onProgress?: (progress: Progress) => void },
  ): Promise<McpAnswer> {
    const toolDefinition = this.#definitions.get(name);
    return this.#guarded(signal, MCP_CALL_MS_MAX, async (options) => {
      const result = await this.#client.callTool(
        { name, arguments: args },
        {
          ...options,
          ...(toolDefinition ? { toolDefinition } : {}),
          ...(onProgress ? { onprogress: onProgress } : {}),
        },
      );
      // A result that is nested too deeply cannot be put in words, which is the server's fault.
      return toAnswer(result, this.#server.text);
    });
  }

  /** Ends the session. The request that says so runs in the background. */
  async [Symbol.asyncDispose](): Promise<void> {
    const said = untilAborted(
      AbortSignal.timeout(MCP_GOODBYE_MS_MAX),
      this.#transport.terminateSession(),
    );
    void said.catch(() => {}).then(() => this.#client.close().catch(() => {}));
  }

  async #guarded<Result>(
    signal: AbortSignal,
    delayMs: number,
    work: (options: { signal: AbortSignal; timeout: number }) => Promise<Result>,
  ): Promise<Result> {
    const reason = new ServerFault(`The server did not respond within ${delayMs / 1000} s.`);
    const either = AbortSignal.any([signal, this.#broken.signal]);
    using limited = withDeadline(this.#deps.timers, either, { delayMs, reason });
    try {
      // The SDK's own timer is behind the deadline, which may run on another clock.
      const options = { signal: limited.signal, timeout: 2 * delayMs };
      return await untilAborted(limited.signal, work(options));
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw toServerFault(error, this.#server.text);
    }
  }

  #clean(text: string | undefined): string | null {
    return text === undefined ? null : this.#server.text.clean(text, MCP_DESCRIPTION_BYTES_MAX);
  }
}
