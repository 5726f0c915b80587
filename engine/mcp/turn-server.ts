import type { EngineDeps } from "../deps.ts";
import { operationOf } from "../policies/operations.ts";
import {
  type BuiltinTool,
  type ToolContext,
  ToolFailure,
  ToolResult,
} from "../tools/builtin/builtin.ts";
import { NO_REACH } from "../tools/builtin/reach.ts";
import type { McpConnection } from "./connection.ts";
import { ServerFault } from "./guarded-fetch.ts";
import {
  MCP_PROGRESS_CHARACTERS_MAX,
  MCP_PROGRESS_MS_MIN,
  MCP_RESULT_BYTES_MAX,
} from "./limits.ts";
import { offeredName } from "./names.ts";
import type { McpServer } from "./server.ts";
import type { ServerTool } from "./server-tool.ts";

const GONE = "The server no longer offers this tool.";

/** One server in one turn: its present tools, as the agent calls them. */
export class TurnServer implements AsyncDisposable {
  readonly #deps: Pick<EngineDeps, "clock">;
  readonly #server: McpServer;
  readonly #connection: McpConnection;
  readonly #isAllowed: (tool: string) => boolean;
  readonly #taken: Set<string>;
  readonly #offered = new Map<string, string>();
  /** What the user, or the policy, last agreed to; at first what the model was offered. */
  readonly #agreed = new Map<string, string>();
  #present = new Map<string, ServerTool>();

  constructor(
    deps: Pick<EngineDeps, "clock">,
    opened: { server: McpServer; connection: McpConnection },
    { isAllowed, taken }: { isAllowed(tool: string): boolean; taken: Set<string> },
  ) {
    this.#deps = deps;
    this.#server = opened.server;
    this.#connection = opened.connection;
    this.#isAllowed = isAllowed;
    this.#taken = taken;
  }

  /** @throws ServerFault; the signal's reason. */
  async refresh(signal: AbortSignal): Promise<void> {
    const listed = await this.#connection.listTools(signal);
    this.#present = new Map(listed.all.map((tool) => [tool.name, tool]));
    for (const { name, fingerprint } of listed.all) {
      if (!this.#agreed.has(name)) this.#agreed.set(name, fingerprint);
    }
  }

  tools(signal: AbortSignal): BuiltinTool[] {
    const allowed = [...this.#present.values()].filter(({ name }) => this.#isAllowed(name));
    return allowed.map((tool) => this.#toTool(tool, signal));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#connection[Symbol.asyncDispose]();
  }

  #toTool(tool: ServerTool, signal: AbortSignal): BuiltinTool {
    const name = this.#offeredName(tool.name);
    return {
      group: `mcp ${this.#server.name}`,
      name,
      doc: tool.description,
      operation: operationOf(name),
      serverName: this.#server.name,
      server: () => this.#identityOf(tool.name),
      spec: { name, doc: tool.description, parameters: tool.parameters },
      resultBytesMax: MCP_RESULT_BYTES_MAX,
      reach: async () => ({ ...NO_REACH, changed: await this.#hasChanged(tool.name, signal) }),
      run: (context, args, callSignal) => this.#run(tool, { context, args }, callSignal),
    };
  }

  // Chosen when the tool is first offered: servers offer in the order of their list, and connect in any order.
  #offeredName(name: string): string {
    const known = this.#offered.get(name);
    if (known !== undefined) return known;
    const offered = offeredName(this.#server.name, name, this.#taken);
    this.#offered.set(name, offered);
    return offered;
  }

  /** What a remembered approval of the tool depends on. */
  #identityOf(name: string) {
    const { uuid, endpoint } = this.#server;
    const fingerprint = this.#present.get(name)?.fingerprint ?? "";
    return { uuid, identity: [endpoint.href, name, fingerprint] };
  }

  /** A server may change what a tool says it does after it was approved: then the user is asked under every policy. */
  async #hasChanged(name: string, signal: AbortSignal): Promise<boolean> {
    try {
      await this.refresh(signal);
    } catch (error) {
      throw toToolFailure(error);
    }
    const present = this.#present.get(name);
    return present !== undefined && present.fingerprint !== this.#agreed.get(name);
  }

  async #run(
    { name }: ServerTool,
    { context, args }: { context: ToolContext; args: unknown },
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const tool = this.#present.get(name);
    if (!tool) throw new ToolFailure(GONE);
    this.#agreed.set(name, tool.fingerprint);
    try {
      const onProgress = this.#progress(context);
      const given = args as Record<string, unknown>;
      const options = { signal, ...(onProgress ? { onProgress } : {}) };
      const { text, images, failed } = await this.#connection.callTool(tool, given, options);
      if (failed) throw new ToolFailure(text || "The tool reported a failure without a message.");
      return new ToolResult(text, { images });
    } catch (error) {
      throw toToolFailure(error);
    }
  }

  #progress({ onProgress }: ToolContext) {
    if (!onProgress) return undefined;
    let lastMs = Number.NEGATIVE_INFINITY;
    return (progress: { progress: number; total?: number; message?: string }) => {
      const nowMs = this.#deps.clock.now();
      if (nowMs - lastMs < MCP_PROGRESS_MS_MIN) return;
      lastMs = nowMs;
      const { progress: done, total = null, message } = progress;
      const text =
        message === undefined
          ? null
          : this.#server.text.clean(message, MCP_PROGRESS_CHARACTERS_MAX);
      onProgress({ done, total, message: text });
    };
  }
}

function toToolFailure(error: unknown): unknown {
  return error instanceof ServerFault ? new ToolFailure(error.message) : error;
}
