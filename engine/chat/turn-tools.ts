import type { TurnServers } from "../mcp/turn-servers.ts";
import type { ToolSpec } from "../models/language-model.ts";
import type { BuiltinTool } from "../tools/builtin/builtin.ts";
import { textTokens } from "./context-window.ts";
import { SMALL_WINDOW_TOKENS, SMALL_WINDOW_TOOLS_SHARE } from "./limits.ts";
import type { TurnContext } from "./turn-context.ts";

/** What decides on the tools of a turn, besides the stored policies. */
interface ToolsOfTurn {
  contextWindow: number;
  /** `tools_enabled` of the frame. */
  toolsEnabled: boolean;
}

/** The tools that the engine runs in one turn: built-in ones, and those of MCP servers. Disposing ends the servers' sessions. */
export class TurnTools implements AsyncDisposable {
  readonly #turn: TurnContext;
  readonly #contextWindow: number;
  readonly #builtins: readonly BuiltinTool[];
  readonly #servers: TurnServers;
  #omitted = 0;

  private constructor(
    turn: TurnContext,
    contextWindow: number,
    { builtins, servers }: { builtins: readonly BuiltinTool[]; servers: TurnServers },
  ) {
    this.#turn = turn;
    this.#contextWindow = contextWindow;
    this.#builtins = builtins;
    this.#servers = servers;
  }

  /**
   * Begins to connect the servers; `ready` waits for them.
   * @throws EngineError `invalid` if a stored policy is malformed.
   */
  static async open(
    turn: TurnContext,
    { contextWindow, toolsEnabled }: ToolsOfTurn,
  ): Promise<TurnTools> {
    const { deps, workspace, thread, signal } = turn;
    const policies = {
      workspaceToolsConfig: workspace.toolsConfig,
      threadToolsConfig: thread.toolsConfig,
      toolsEnabled,
    };
    const builtins = deps.chat.builtinToolsForTurn(policies);
    const servers = await deps.mcp.forTurn(policies, signal);
    return new TurnTools(turn, contextWindow, { builtins, servers });
  }

  /** @throws the reason of the turn's signal */
  ready(): Promise<void> {
    return this.#servers.ready();
  }

  /** The tools that the next step offers: those of the servers that are connected now, as far as the window has room. */
  offered(): readonly BuiltinTool[] {
    const { id, deps, peer, journal } = this.#turn;
    const all = [...this.#builtins, ...this.#servers.tools()];
    const { offered, omittedToolGroups } = fitTools(all, peer.uiTools(), this.#contextWindow);
    if (omittedToolGroups.length > this.#omitted) {
      this.#omitted = omittedToolGroups.length;
      journal.onOmitted(omittedToolGroups);
      const fields = { turn: id, contextWindow: this.#contextWindow, omittedToolGroups };
      deps.log.info(fields, "Tool groups were left out to fit a small context window.");
    }
    return offered;
  }

  /** The names of MCP servers that are switched on and not connected. */
  away(): readonly string[] {
    return this.#servers.away();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#servers[Symbol.asyncDispose]();
  }
}

/** The built-in tools that fit into a turn. */
interface FittedTools {
  offered: readonly BuiltinTool[];
  /** The omitted groups, in the order of omission. */
  omittedToolGroups: readonly string[];
}

// The order of omission. A group that is not listed is omitted last.
const LEAST_USED_FIRST = [
  "contact",
  "note",
  "memory",
  "todo",
  "time",
  "retrieval",
  "workspace_files",
  "filesystem",
];

/**
 * Omits whole groups until the descriptions and schemas of all tools take at most a quarter of a small window. A model
 * with a large window is offered every tool.
 * @internal for tests
 */
export function fitTools(
  builtins: readonly BuiltinTool[],
  uiTools: readonly ToolSpec[],
  contextWindow: number,
): FittedTools {
  const omittedToolGroups: string[] = [];
  if (contextWindow >= SMALL_WINDOW_TOKENS) {
    return { offered: builtins, omittedToolGroups };
  }
  const tokensMax = contextWindow * SMALL_WINDOW_TOOLS_SHARE;
  const present = new Set(builtins.map(({ group }) => group));
  const order = new Set([...LEAST_USED_FIRST.filter((group) => present.has(group)), ...present]);
  let offered = builtins;
  for (const group of order) {
    const specs = [...offered.map(({ spec }) => spec), ...uiTools];
    if (textTokens(JSON.stringify(specs)) <= tokensMax) break;
    offered = offered.filter((tool) => tool.group !== group);
    omittedToolGroups.push(group);
  }
  return { offered, omittedToolGroups };
}
