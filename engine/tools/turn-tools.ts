import type { BuiltinTool } from "./builtin/builtin.ts";
import { BUILTIN_TOOLS } from "./builtin/catalog.ts";
import { parseToggles } from "./toggles.ts";

/** What decides about the built-in tools of one turn. */
export interface TurnToolPolicy {
  workspaceToolsConfig: string | null;
  threadToolsConfig: string | null;
  /** `tools_enabled` of the frame. */
  toolsEnabled: boolean;
}

/**
 * The built-in tools that a model may call in this turn. Policies are parsed even where the turn wants no tools, so that
 * a malformed one is always found.
 * @throws EngineError `invalid` where a stored policy is malformed (Engine §2, tool configuration inheritance 6).
 */
export function builtinToolsForTurn(policy: TurnToolPolicy): BuiltinTool[] {
  const toggles = parseToggles(policy.workspaceToolsConfig, policy.threadToolsConfig);
  if (!policy.toolsEnabled) return [];
  return BUILTIN_TOOLS.filter(({ group, name }) => toggles.allows(group, name));
}
