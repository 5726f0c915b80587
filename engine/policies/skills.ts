import { isJsonObject } from "../../shared/json.ts";
import { invalid } from "../errors.ts";
import { parseStoredObject } from "./stored-object.ts";

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
