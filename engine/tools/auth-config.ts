import { isJsonObject, parseJson } from "../../shared/json.ts";
import { invalid } from "../errors.ts";
import { HEADER_NAME } from "../http/wire.ts";
import { AUTH_CONFIG_BYTES_MAX } from "./limits.ts";

/**
 * Checks `authConfigJson` (Engine §2, tool rule 3): a JSON object from header names, each once regardless of case, to
 * nonblank values without CR or LF. Messages never repeat the input.
 * @throws EngineError `invalid`
 */
export function checkAuthConfig(text: string): void {
  if (Buffer.byteLength(text) > AUTH_CONFIG_BYTES_MAX) {
    throw fault(`must have at most ${AUTH_CONFIG_BYTES_MAX / 1024} KiB`);
  }
  const config = parseJson(text);
  if (config === undefined) throw fault("must be valid JSON");
  if (!isJsonObject(config)) throw fault("must be a JSON object");
  const names = Object.keys(config);
  if (names.length === 0) throw fault("must have at least one header");
  const values = Object.values(config);
  if (!values.every((value) => typeof value === "string")) {
    throw fault("must have strings as values");
  }
  for (const value of values) {
    if (value.trim() === "") throw fault("must have nonblank values");
    if (/[\r\n]/.test(value)) throw fault("must have values without line breaks");
  }
  if (!names.every((name) => HEADER_NAME.test(name))) {
    throw fault("must have valid HTTP header names as keys");
  }
  const distinct = new Set(names.map((name) => name.toLowerCase()));
  if (distinct.size < names.length || countPairs(text) > names.length) {
    throw fault("must not name a header twice");
  }
}

// JSON.parse drops the first of two equal keys. In a flat object of strings, every second string is a key.
function countPairs(text: string): number {
  let quotes = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') quotes += 1;
  }
  return quotes / 4;
}

function fault(rule: string) {
  return invalid(`authConfigJson: ${rule}.`);
}
