import { isJsonObject, parseJson } from "../../shared/json.ts";
import { JSON_DEPTH_MAX } from "./limits.ts";

/** A frozen JSON object. */
export type FrozenObject = Readonly<Record<string, unknown>>;

/**
 * Parses text as a JSON object and freezes it: a tool runs with the arguments that the user approved. Undefined for any
 * other value, or one nested too deeply to serialize. Blank text is an empty object: some providers send it for no
 * arguments.
 */
export function parseFrozenObject(text: string): FrozenObject | undefined {
  const value = text.trim() === "" ? {} : parseJson(text);
  return isJsonObject(value) && freeze(value) ? value : undefined;
}

/** Freezes a value with all it contains. Returns false where it is nested too deeply. */
function freeze(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth > JSON_DEPTH_MAX) return false;
  Object.freeze(value);
  return Object.values(value).every((item) => freeze(item, depth + 1));
}
