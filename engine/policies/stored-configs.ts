import { isJsonObject, parseJson } from "../../shared/json.ts";
import { invalid } from "../errors.ts";
import { TOOLS_CONFIG_DEPTH_MAX } from "../limits.ts";

/**
 * A stored policy that must be a JSON object; null and "" count as an empty one.
 * @throws EngineError `invalid` that names the field and its owner.
 */
function parseStoredObject(
  text: string | null,
  field: "toolsConfig" | "skillsConfig",
  owner: "workspace" | "thread",
): Readonly<Record<string, unknown>> {
  if (text === null || text === "") return {};
  const value = parseJson(text);
  if (isJsonObject(value)) return value;
  const fault = value === undefined ? "not valid JSON" : "not a JSON object";
  throw invalid(`The ${field} of the ${owner} is ${fault}.`);
}

interface ToolToggles {
  /** Whether a built-in tool may be used. Only a literal `false` disables. */
  allows(group: string, tool: string): boolean;
  /** Whether anything is said of MCP servers at all. */
  namesServers: boolean;
  /** Whether a configured MCP server may be used. Only a literal `true` enables. */
  allowsServer(toolUuid: string): boolean;
  /** Whether a tool of such a server may be used, by the server's own name. Only a literal `false` disables. */
  allowsServerTool(toolUuid: string, tool: string): boolean;
}

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * `toolsConfig`: the thread's, merged over the workspace's (Engine §2, tool configuration inheritance).
 * @throws EngineError `invalid` if either is not a JSON object; null and "" count as none.
 */
export function parseToggles(
  workspaceConfig: string | null,
  threadConfig: string | null,
): ToolToggles {
  const baseline = parseStoredObject(workspaceConfig, "toolsConfig", "workspace");
  const config = merge(baseline, parseStoredObject(threadConfig, "toolsConfig", "thread"), 0);
  const groups = objectAt(config, "builtin");
  const servers = objectAt(config, "mcp");
  return {
    allows(group, tool) {
      if (valueAt(config, "builtin_enabled") === false) return false;
      const toggles = objectAt(groups, group);
      if (valueAt(toggles, "enabled") === false) return false;
      return valueAt(objectAt(toggles, "tools"), tool) !== false;
    },
    namesServers: Object.keys(servers).length > 0,
    allowsServer: (toolUuid) => valueAt(objectAt(servers, toolUuid), "enabled") === true,
    allowsServerTool: (toolUuid, tool) =>
      valueAt(objectAt(objectAt(servers, toolUuid), "tools"), tool) !== false,
  };
}

// Results have no prototype, so a stored "__proto__" is a key like any other.
function merge(base: JsonObject, over: JsonObject, depth: number): JsonObject {
  if (depth > TOOLS_CONFIG_DEPTH_MAX) throw invalid("The toolsConfig is nested too deeply.");
  const merged: Record<string, unknown> = Object.assign(Object.create(null), base);
  for (const [key, value] of Object.entries(over)) {
    const before = valueAt(base, key);
    merged[key] =
      isJsonObject(before) && isJsonObject(value) ? merge(before, value, depth + 1) : value;
  }
  return merged;
}

function objectAt(holder: JsonObject, key: string): JsonObject {
  const value = valueAt(holder, key);
  return isJsonObject(value) ? value : {};
}

function valueAt(holder: JsonObject, key: string): unknown {
  return Object.hasOwn(holder, key) ? holder[key] : undefined;
}

/** Instructions that a workspace or a thread adds to a turn. */
export interface Skill {
  name: string;
  instructions: string;
}

/**
 * `skillsConfig`: the enabled skills of the workspace, then of the thread. A thread's skill replaces a workspace's skill
 * with the same name.
 * @throws EngineError `invalid` if a stored text is malformed; null and "" count as none.
 */
export function parseSkills(workspaceConfig: string | null, threadConfig: string | null): Skill[] {
  const skills = new Map<string, Skill | undefined>();
  const configs = [
    ["workspace", workspaceConfig],
    ["thread", threadConfig],
  ] as const;
  for (const [owner, config] of configs) {
    for (const { enabled, ...skill } of parseConfig(config, owner)) {
      skills.set(skill.name, enabled ? skill : undefined);
    }
  }
  return [...skills.values()].filter((skill) => skill !== undefined);
}

function parseConfig(
  text: string | null,
  owner: "workspace" | "thread",
): (Skill & { enabled: boolean })[] {
  const skills = parseStoredObject(text, "skillsConfig", owner).skills ?? [];
  if (!Array.isArray(skills)) throw invalid(`The skills of the ${owner} are not a list.`);
  return skills.map((skill: unknown) => {
    const { name, instructions, enabled } = isJsonObject(skill) ? skill : {};
    if (typeof name !== "string" || typeof instructions !== "string") {
      throw invalid(`A skill of the ${owner} has no name or no instructions.`);
    }
    return { name, instructions, enabled: enabled !== false };
  });
}
