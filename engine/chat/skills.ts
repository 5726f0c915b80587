import { invalid } from "../errors.ts";

/** Instructions that a workspace or a thread brings along. */
export interface Skill {
  name: string;
  instructions: string;
}

/**
 * The enabled skills: the workspace's, then the thread's, which take the place of those with the same name.
 * @throws EngineError `invalid` where a stored text is malformed; null and "" count as none.
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

function parseConfig(text: string | null, owner: string): (Skill & { enabled: boolean })[] {
  if (text === null || text === "") return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid(`The skillsConfig of the ${owner} is not valid JSON.`);
  }
  if (!isObject(value)) throw invalid(`The skillsConfig of the ${owner} is not a JSON object.`);
  const skills = value.skills ?? [];
  if (!Array.isArray(skills)) throw invalid(`The skills of the ${owner} are not a list.`);
  return skills.map((skill: unknown) => {
    const { name, instructions, enabled } = isObject(skill) ? skill : {};
    if (typeof name !== "string" || typeof instructions !== "string") {
      throw invalid(`A skill of the ${owner} has no name or no instructions.`);
    }
    return { name, instructions, enabled: enabled !== false };
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
