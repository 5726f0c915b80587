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
  if (!isShallow(text)) return undefined;
  const value = text.trim() === "" ? {} : parseJson(text);
  if (!isJsonObject(value)) return undefined;
  freeze(value);
  return value;
}

// Parsing a deep text takes several times as long as a flat one. The look ends if it is too deep.
function isShallow(text: string): boolean {
  // The object itself is not nested.
  let depth = -1;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') quoted = !quoted;
    // The next character does not end the string.
    else if (quoted) at += character === "\\" ? 1 : 0;
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    if (depth > JSON_DEPTH_MAX) return false;
  }
  return true;
}

function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  Object.freeze(value);
  for (const item of Object.values(value)) freeze(item);
}
