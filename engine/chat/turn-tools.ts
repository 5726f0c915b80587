import type { TurnServers } from "../mcp/turn-servers.ts";
import type { ToolSpec } from "../models/language-model.ts";
import type { BuiltinTool } from "../tools/builtin/builtin.ts";
import { textTokens } from "./context-window.ts";
import {
  SEARCH_WINDOW_TOKENS,
  SMALL_WINDOW_TOKENS,
  SMALL_WINDOW_TOOLS_SHARE,
  TOOLS_SHARE,
} from "./limits.ts";
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

  /**
   * The tools that the next step offers: those of the servers that are connected now, as far as the window has room.
   * `onOmitted` names each group that is left out.
   */
  offered(onOmitted: (what: string) => void = () => {}): FittedTools {
    const { id, deps, peer, journal } = this.#turn;
    const all = [...this.#builtins, ...this.#servers.tools()];
    const fitted = fitTools(all, peer.uiTools(), this.#contextWindow);
    const { omittedToolGroups } = fitted;
    if (omittedToolGroups.length > this.#omitted) {
      this.#omitted = omittedToolGroups.length;
      journal.onOmitted(omittedToolGroups);
      const fields = { turn: id, contextWindow: this.#contextWindow, omittedToolGroups };
      deps.log.info(fields, "Tool groups were left out to fit a small context window.");
    }
    for (const group of omittedToolGroups) onOmitted(`the tools of ${group}`);
    return fitted;
  }

  /** A built-in tool that is not switched off, whether the window has room for it or not. */
  find(name: string): BuiltinTool | undefined {
    return this.#builtins.find((tool) => tool.name === name);
  }

  /** The names of MCP servers that are switched on and not connected. */
  away(): readonly string[] {
    return this.#servers.away();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#servers[Symbol.asyncDispose]();
  }
}

/** The tools that fit into a turn. */
export interface FittedTools {
  /** Those that the engine runs. */
  offered: readonly BuiltinTool[];
  uiTools: readonly ToolSpec[];
  /** The omitted groups, in the order of omission. */
  omittedToolGroups: readonly string[];
}

/** The tools of the client, among the groups of the engine. */
export const UI_GROUP = "client";
const SEARCH_GROUP = "retrieval";

// The order of omission. Other groups follow, then the tools of the client, and the search of the folders is omitted last.
const LEAST_USED_FIRST = [
  "filesystem",
  "contact",
  "note",
  "memory",
  "todo",
  "time",
  "workspace_files",
];

/**
 * Omits whole groups until the descriptions and schemas of all tools take at most their share of the window. The search of the
 * folders stays in all but the smallest windows.
 * @internal for tests
 */
export function fitTools(
  builtins: readonly BuiltinTool[],
  uiTools: readonly ToolSpec[],
  contextWindow: number,
): FittedTools {
  const share = contextWindow < SMALL_WINDOW_TOKENS ? SMALL_WINDOW_TOOLS_SHARE : TOOLS_SHARE;
  const groups = [
    ...builtins.map((tool) => ({ group: tool.group, spec: () => tool.spec, tool })),
    ...uiTools.map((spec) => ({ group: UI_GROUP, spec: () => spec, tool: undefined })),
  ];
  let kept = groups;
  const omittedToolGroups: string[] = [];
  for (const group of orderOfOmission(groups, contextWindow)) {
    if (textTokens(JSON.stringify(kept.map(({ spec }) => spec()))) <= contextWindow * share) break;
    kept = kept.filter((entry) => entry.group !== group);
    omittedToolGroups.push(group);
  }
  if (omittedToolGroups.length === 0) return { offered: builtins, uiTools, omittedToolGroups };
  return {
    offered: kept.flatMap(({ tool }) => tool ?? []),
    uiTools: omittedToolGroups.includes(UI_GROUP) ? [] : uiTools,
    omittedToolGroups,
  };
}

function orderOfOmission(groups: readonly { group: string }[], contextWindow: number): string[] {
  const present = new Set(groups.map(({ group }) => group));
  const known = LEAST_USED_FIRST.filter((group) => present.has(group));
  const order = [...new Set([...known, ...present])].filter((group) => group !== SEARCH_GROUP);
  const keepsSearch = contextWindow >= SEARCH_WINDOW_TOKENS || !present.has(SEARCH_GROUP);
  return keepsSearch ? order : [...order, SEARCH_GROUP];
}
