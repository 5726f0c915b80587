import type { ToolsConfig, Workspace } from "../../../client/client.ts";

type Stored = Workspace["toolsConfig"];

/** `toolsConfig` as the engine takes it: a value that is no object counts as none. */
function toolsConfigOf(stored: Stored): ToolsConfig {
  return stored && typeof stored === "object" && !("malformed" in stored) ? stored : {};
}

/** Whether a group of built-in tools, or one of its tools, is on: only a literal false switches off. */
export function isBuiltinOn(stored: Stored, group?: string, tool?: string): boolean {
  const { builtin_enabled, builtin } = toolsConfigOf(stored);
  if (group === undefined) return builtin_enabled !== false;
  const toggles = own(builtin, group);
  return tool === undefined ? toggles?.enabled !== false : own(toggles?.tools, tool) !== false;
}

/** The configuration with a switch of the built-in tools, of a group, or of one tool. */
export function withBuiltin(
  stored: Stored,
  isOn: boolean,
  group?: string,
  tool?: string,
): ToolsConfig {
  if (group !== undefined) return withToggle(stored, "builtin", group, isOn, tool);
  return { ...toolsConfigOf(stored), builtin_enabled: isOn };
}

/** Whether a workspace uses an MCP server: only a literal true switches on. */
export function isServerOn(stored: Stored, toolUuid: string): boolean {
  return own(toolsConfigOf(stored).mcp, toolUuid)?.enabled === true;
}

/** The configuration with a switch of a group or an MCP server, or of one of its tools by the server's own name. */
export function withToggle(
  stored: Stored,
  kind: "builtin" | "mcp",
  name: string,
  isOn: boolean,
  tool?: string,
): ToolsConfig {
  const config = toolsConfigOf(stored);
  const before = own(config[kind], name);
  const changed =
    tool === undefined ? { enabled: isOn } : { tools: { ...before?.tools, [tool]: isOn } };
  return { ...config, [kind]: { ...config[kind], [name]: { ...before, ...changed } } };
}

function own<Value>(holder: Record<string, Value> | undefined, name: string): Value | undefined {
  return holder && Object.hasOwn(holder, name) ? holder[name] : undefined;
}
