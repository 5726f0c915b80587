import type { ToolSpec } from "../models/language-model.ts";
import type { BuiltinTool } from "../tools/builtin/builtin.ts";
import { textTokens } from "./context-window.ts";
import { SMALL_WINDOW_TOKENS, SMALL_WINDOW_TOOLS_SHARE } from "./limits.ts";

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
 * with a large or unstated window is offered every tool.
 */
export function fitTools(
  builtins: readonly BuiltinTool[],
  uiTools: readonly ToolSpec[],
  contextWindow: number | null,
): FittedTools {
  const omittedToolGroups: string[] = [];
  if (contextWindow === null || contextWindow >= SMALL_WINDOW_TOKENS) {
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
