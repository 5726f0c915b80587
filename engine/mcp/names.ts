import { OFFERED_NAME_CHARACTERS_MAX, SERVER_NAME_CHARACTERS_MAX } from "./limits.ts";

/**
 * The name under which a model sees a server's tool: `mcp_<server>_<tool>` in `[a-z0-9_]`, at most 64 characters. The part of
 * the server has no `_`, so that no server gives a tool the name of another server's. It is not yet in `taken`, and is added to
 * it. Equal names get numbers from 2 on.
 */
export function offeredName(server: string, tool: string, taken: Set<string>): string {
  const word = toWord(server).replaceAll("_", "");
  const prefix = `mcp_${word.slice(0, SERVER_NAME_CHARACTERS_MAX) || "server"}`;
  const base = `${prefix}_${toWord(tool) || "tool"}`;
  let name = base.slice(0, OFFERED_NAME_CHARACTERS_MAX);
  for (let number = 2; taken.has(name); number += 1) {
    const suffix = `_${number}`;
    name = base.slice(0, OFFERED_NAME_CHARACTERS_MAX - suffix.length) + suffix;
  }
  taken.add(name);
  return name;
}

function toWord(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_|_$/g, "");
}
