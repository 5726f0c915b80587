import { parseToggles } from "../../policies/stored-configs.ts";
import type { BuiltinTool } from "./builtin.ts";
import { FILESYSTEM_TOOLS } from "./filesystem.ts";
import { RECORD_TOOLS } from "./records.ts";
import { RETRIEVAL_TOOLS } from "./retrieval.ts";
import { TIME_TOOLS } from "./time.ts";
import { WORKSPACE_FILE_TOOLS } from "./workspace-files.ts";

/** All built-in tools, group after group. A new group is one line here. */
export const BUILTIN_TOOLS: readonly BuiltinTool[] = [
  ...FILESYSTEM_TOOLS,
  ...WORKSPACE_FILE_TOOLS,
  ...RETRIEVAL_TOOLS,
  ...RECORD_TOOLS,
  ...TIME_TOOLS,
];

/** The policies that choose the built-in tools and the servers of one turn. */
export interface TurnToolPolicy {
  workspaceToolsConfig: string | null;
  threadToolsConfig: string | null;
  /** `tools_enabled` of the frame. */
  toolsEnabled: boolean;
}

/**
 * The built-in tools that a model may call in this turn. A malformed policy is an error even where the turn uses no
 * tools.
 * @throws EngineError `invalid` if a stored policy is malformed (Engine §2, tool configuration inheritance 6).
 */
export function builtinToolsForTurn(policy: TurnToolPolicy): BuiltinTool[] {
  const toggles = parseToggles(policy.workspaceToolsConfig, policy.threadToolsConfig);
  if (!policy.toolsEnabled) return [];
  return BUILTIN_TOOLS.filter(({ group, name }) => toggles.allows(group, name));
}
