import { isJsonObject, parseJson } from "../../shared/json.ts";
import { invalid } from "../errors.ts";

/**
 * A stored policy that must be a JSON object; null and "" count as an empty one.
 * @throws EngineError `invalid` that names the field and its owner.
 */
export function parseStoredObject(
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
