import { parseJson } from "../../shared/json.ts";

/** `directories`: the root paths as written. Null, malformed or not an array of strings: no roots. */
export function parseDirectories(text: string | null): string[] {
  const value = parseJson(text);
  if (!Array.isArray(value)) return [];
  return value.every((item) => typeof item === "string") ? value : [];
}
