import type { ToolConfigurationRow, WorkspaceRow } from "../db/schema.ts";
import type { EngineDeps } from "../deps.ts";
import { failure, invalid } from "../errors.ts";
import { parseToggles } from "../policies/stored-configs.ts";
import type { TurnToolPolicy } from "../tools/builtin/catalog.ts";
import { findToolConfiguration, listMcpConfigurations } from "../tools/store.ts";
import type { McpConnection } from "./connection.ts";
import { ServerFault } from "./guarded-fetch.ts";
import {
  MCP_CONNECT_MS_MAX,
  MCP_FAILED_SERVER_WAIT_MS,
  MCP_SERVERS_MAX,
  MCP_UNKNOWN_SERVER_WAIT_MS,
} from "./limits.ts";
import { offeredName } from "./names.ts";
import { type McpServer, serverName, toServer } from "./server.ts";
import type { ServerTools } from "./server-tool.ts";
import { TurnServer } from "./turn-server.ts";
import { connectServers, type ServerChoice, type TurnServers } from "./turn-servers.ts";
import type { McpServerTools, McpTest } from "./wire.ts";

type McpDeps = Pick<EngineDeps, "db" | "vault" | "fetch" | "timers" | "clock" | "log">;

const NO_ADDRESS = "The tool has no `endpointUrl`. Set it to the address of the server.";
const TOO_MANY = `Only ${MCP_SERVERS_MAX} servers of a workspace are connected. Switch another one off.`;
const INACTIVE = "The status of the tool is not `active`.";

/** The configured MCP servers of the engine. Remembers how each one did when it was last asked. */
export class McpServers {
  readonly #deps: McpDeps;
  /** By the uuid of the tool: whether the last attempt to connect succeeded. */
  readonly #lastOk = new Map<string, boolean>();

  constructor(deps: McpDeps) {
    this.#deps = deps;
  }

  /**
   * Begins to connect the servers that the policies of a turn switch on.
   * @throws EngineError `invalid` if a stored policy is malformed.
   */
  async forTurn(
    { workspaceToolsConfig, threadToolsConfig, toolsEnabled }: TurnToolPolicy,
    turn: AbortSignal,
  ): Promise<TurnServers> {
    const toggles = parseToggles(workspaceToolsConfig, threadToolsConfig);
    if (!toolsEnabled || !toggles.namesServers) return connectServers(this.#deps.timers, [], turn);
    const rows = (await listMcpConfigurations(this.#deps.db)).filter(
      (row) => isActive(row) && toggles.allowsServer(row.uuid),
    );
    const taken = new Set<string>();
    const choices = rows.slice(0, MCP_SERVERS_MAX).map(
      (row): ServerChoice => ({
        name: serverName(row),
        waitMs: this.#waitMs(row.uuid),
        onLate: () => this.#lastOk.set(row.uuid, false),
        connect: (signal) =>
          this.#connectForTurn(row, signal, {
            isAllowed: (tool) => toggles.allowsServerTool(row.uuid, tool),
            taken,
          }),
      }),
    );
    return connectServers(this.#deps.timers, choices, turn);
  }

  /**
   * Every configured server as a workspace sees it; those that are on are asked now, side by side.
   * @throws EngineError `invalid` if `toolsConfig` is malformed; `credential_store`
   */
  async list(workspace: WorkspaceRow, signal: AbortSignal): Promise<McpServerTools[]> {
    const toggles = parseToggles(workspace.toolsConfig, null);
    const rows = await listMcpConfigurations(this.#deps.db);
    const wanted = rows.filter((row) => isActive(row) && toggles.allowsServer(row.uuid));
    const asking = wanted
      .slice(0, MCP_SERVERS_MAX)
      .map(async (row) => [row.uuid, await this.#ask(row, signal)] as const);
    const answers = new Map(await Promise.all(asking));
    // Named once all have answered: which name a tool gets does not depend on who is faster.
    const taken = new Set<string>();
    return rows.map((row): McpServerTools => {
      const about = { toolUuid: row.uuid, name: serverName(row), tools: [] };
      if (!toggles.allowsServer(row.uuid)) return { ...about, state: "off", problem: null };
      if (!isActive(row)) return { ...about, state: "off", problem: INACTIVE };
      const answer = answers.get(row.uuid) ?? new ServerFault(TOO_MANY);
      if (answer instanceof ServerFault) {
        return { ...about, state: "failed", problem: answer.message };
      }
      const tools = answer.tools.all.map((tool) => ({
        ...toMcpTool(about.name, tool, taken),
        enabled: toggles.allowsServerTool(row.uuid, tool.name),
      }));
      return { ...about, state: "ready", problem: leftOutText(answer.tools), tools };
    });
  }

  /**
   * Connects one server and lists its tools. A server that fails is a result.
   * @throws EngineError `absent`, `invalid`, `credential_store`
   */
  async test(uuid: string, signal: AbortSignal): Promise<McpTest> {
    const row = await findToolConfiguration(this.#deps.db, uuid);
    if (!row) throw failure("absent");
    if (row.toolType !== "mcp")
      throw invalid("toolType: only a tool of the type `mcp` can be tested.");
    const asked = await this.#ask(row, signal);
    if (asked instanceof ServerFault) {
      return { ok: false, serverName: null, serverVersion: null, tools: [], error: asked.message };
    }
    const taken = new Set<string>();
    const tools = asked.tools.all.map((tool) => toMcpTool(serverName(row), tool, taken));
    const { serverName: name, serverVersion } = asked;
    return { ok: true, serverName: name, serverVersion, tools, error: null };
  }

  async #connectForTurn(
    row: ToolConfigurationRow,
    signal: AbortSignal,
    offer: { isAllowed(tool: string): boolean; taken: Set<string> },
  ): Promise<TurnServer | undefined> {
    let server: TurnServer | undefined;
    try {
      const opened = await this.#open(row, signal);
      if (opened instanceof ServerFault) return undefined;
      server = new TurnServer(this.#deps, opened, offer);
      await server.refresh(signal);
      return server;
    } catch (error) {
      await server?.[Symbol.asyncDispose]();
      // A turn does not fail because of a server: the instructions name the server that is missing.
      if (!signal.aborted) this.#note(row, error);
      return undefined;
    }
  }

  async #ask(row: ToolConfigurationRow, signal: AbortSignal) {
    const opened = await this.#open(row, signal);
    if (opened instanceof ServerFault) return opened;
    await using connection = opened.connection;
    try {
      const tools = await connection.listTools(signal);
      const { serverName: name, serverVersion } = connection;
      return { serverName: name, serverVersion, tools };
    } catch (error) {
      return this.#noteFault(row, error);
    }
  }

  /** @throws EngineError `credential_store`; the signal's reason. */
  async #open(
    row: ToolConfigurationRow,
    signal: AbortSignal,
  ): Promise<{ server: McpServer; connection: McpConnection } | ServerFault> {
    const server = await toServer(this.#deps, row);
    if (!server) return new ServerFault(NO_ADDRESS);
    // The SDK is loaded with the first server.
    const { McpConnection } = await import("./connection.ts");
    try {
      const connection = await McpConnection.open(this.#deps, server, signal);
      this.#lastOk.set(row.uuid, true);
      return { server, connection };
    } catch (error) {
      return this.#noteFault(row, error);
    }
  }

  /** @throws what is no fault of the server */
  #noteFault(row: ToolConfigurationRow, error: unknown): ServerFault {
    if (!(error instanceof ServerFault)) throw error;
    this.#note(row, error);
    return error;
  }

  #note(row: ToolConfigurationRow, error: unknown): void {
    this.#lastOk.set(row.uuid, false);
    const problem = error instanceof ServerFault ? error.message : error;
    const fields = { tool: row.uuid, name: serverName(row), problem };
    this.#deps.log.warn(fields, "An MCP server could not be used.");
  }

  #waitMs(uuid: string): number {
    const lastOk = this.#lastOk.get(uuid);
    if (lastOk === undefined) return MCP_UNKNOWN_SERVER_WAIT_MS;
    return lastOk ? MCP_CONNECT_MS_MAX : MCP_FAILED_SERVER_WAIT_MS;
  }
}

function isActive({ status }: ToolConfigurationRow): boolean {
  return status === "active";
}

function toMcpTool(
  server: string,
  { name, description }: { name: string; description: string },
  taken: Set<string>,
) {
  return { name: offeredName(server, name, taken), serverName: name, description };
}

function leftOutText({ leftOut }: ServerTools): string | null {
  if (leftOut === 0) return null;
  return `${leftOut} tools of the server were left out: too many, too large, or with names that cannot be used.`;
}
