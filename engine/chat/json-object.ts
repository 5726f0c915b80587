import { isJsonObject, parseJson } from "../../shared/json.ts";
import { JSON_DEPTH_MAX } from "../limits.ts";

/** A frozen JSON object. */
export type FrozenObject = Readonly<Record<string, unknown>>;

/**
 * Text as a frozen JSON object: what is shown to the user is what runs. Undefined where it is none, or is nested so
 * deeply that it could not be written again. Blank text is an empty object: some providers send it for no arguments.
 */
export function parseFrozenObject(text: string): FrozenObject | undefined {
  const value = text.trim() === "" ? {} : parseJson(text);
  return isJsonObject(value) && freeze(value) ? value : undefined;
}

/** Whether all of it could be frozen; false where it is nested too deeply. */
function freeze(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth > JSON_DEPTH_MAX) return false;
  Object.freeze(value);
  return Object.values(value).every((item) => freeze(item, depth + 1));
}
