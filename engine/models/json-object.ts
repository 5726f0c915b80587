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

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;
/** Makes a brace of a bracket. */
const BRACE_BIT = 0x20;

// Parsing a deep text takes several times as long as a flat one. The look ends where it is too deep.
function isShallow(text: string): boolean {
  // The object itself is not nested.
  let depth = -1;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) quoted = !quoted;
    // What follows it is no end of the string.
    else if (quoted) at += code === BACKSLASH ? 1 : 0;
    else if ((code | BRACE_BIT) === (BRACKET | BRACE_BIT)) depth += 1;
    else if ((code | BRACE_BIT) === (BRACKET_END | BRACE_BIT)) depth -= 1;
    if (depth > JSON_DEPTH_MAX) return false;
  }
  return true;
}

/** Freezes a value with all it contains. */
function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  Object.freeze(value);
  for (const item of Object.values(value)) freeze(item);
}
