/**
 * The JSON strings of a workspace. They are stored as they come and parsed when used (Engine §2), so what is malformed
 * has a meaning here instead of an error. `toolsConfig` is the exception, which fails its turn: `tools/toggles.ts`.
 */

type JsonObject = Readonly<Record<string, unknown>>;

/** One entry of `ragConfig.roots` that says something about a path. */
export interface RootSetting {
  path: string;
  enabled: boolean;
}

/** The root paths as they were written. Null, malformed or not an array of strings: no roots. */
export function parseDirectories(text: string | null): string[] {
  const value = parseJson(text);
  if (!Array.isArray(value)) return [];
  return value.every((item) => typeof item === "string") ? value : [];
}

/** Undefined where it is missing, malformed or no object: then every operation needs approval (Engine §2). */
export function parseApprovalConfig(text: string | null): JsonObject | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

/** Entries without a path are left out; only a literal `false` disables. Malformed: nothing is disabled. */
export function parseRagConfig(text: string | null): { roots: RootSetting[] } {
  const value = parseJson(text);
  const listed = isObject(value) && Object.hasOwn(value, "roots") ? value.roots : undefined;
  if (!Array.isArray(listed)) return { roots: [] };
  const roots = listed
    .filter(isObject)
    .flatMap(({ path, enabled }) =>
      typeof path === "string" ? [{ path, enabled: enabled !== false }] : [],
    );
  return { roots };
}

function parseJson(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
