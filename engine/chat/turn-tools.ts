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
export interface TurnTools extends AsyncDisposable {
  /** Those that are not switched off, whether the window has room for them or not. */
  builtins: readonly BuiltinTool[];
  servers: TurnServers;
  /** What the next step offers: with the tools of servers that are connected now, as far as the window has room. */
  offered(): FittedTools;
}

/**
 * Begins to connect the servers.
 * @throws EngineError `invalid` if a stored policy is malformed.
 */
export async function openTurnTools(
  { id, deps, peer, journal, workspace, thread, signal }: TurnContext,
  { contextWindow, toolsEnabled }: ToolsOfTurn,
): Promise<TurnTools> {
  const policies = {
    workspaceToolsConfig: workspace.toolsConfig,
    threadToolsConfig: thread.toolsConfig,
    toolsEnabled,
  };
  const builtins = deps.chat.builtinToolsForTurn(policies);
  const servers = await deps.mcp.forTurn(policies, signal);
  let omitted = 0;
  const offered = () => {
    const fitted = fitTools([...builtins, ...servers.tools()], peer.uiTools(), contextWindow);
    const { omittedToolGroups } = fitted;
    if (omittedToolGroups.length > omitted) {
      omitted = omittedToolGroups.length;
      journal.onOmitted(omittedToolGroups);
      const fields = { turn: id, contextWindow, omittedToolGroups };
      deps.log.info(fields, "Tool groups were left out to fit a small context window.");
    }
    return fitted;
  };
  const dispose = () => servers[Symbol.asyncDispose]();
  return { builtins, servers, offered, [Symbol.asyncDispose]: dispose };
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
