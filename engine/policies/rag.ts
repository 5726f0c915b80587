import { isJsonObject, parseJson } from "../../shared/json.ts";

/** One entry of `ragConfig.roots`. */
interface RootSetting {
  path: string;
  enabled: boolean;
  watch: boolean;
}

/**
 * `ragConfig`: entries without a path are left out; only a literal `false` disables, and only a literal `true` watches.
 * Malformed: nothing is disabled or watched.
 */
export function parseRagConfig(text: string | null): { roots: RootSetting[] } {
  const value = parseJson(text);
  const listed = isJsonObject(value) && Object.hasOwn(value, "roots") ? value.roots : undefined;
  if (!Array.isArray(listed)) return { roots: [] };
  const roots = listed
    .filter(isJsonObject)
    .flatMap(({ path, enabled, watch }) =>
      typeof path === "string" ? [{ path, enabled: enabled !== false, watch: watch === true }] : [],
    );
  return { roots };
}
