import { ServerFault } from "./guarded-fetch.ts";
import { MCP_LISTED_MAX, MCP_LISTED_VALUES_MAX } from "./limits.ts";

/**
 * Refuses an answer that lists too much, before it is compared with a schema: that takes up to 10 µs a value, and finds
 * fault with each. Structured content is not compared.
 * @throws ServerFault
 */
export function assertListable(message: object): void {
  if (!("result" in message)) return;
  const { tools, content } = (message.result ?? {}) as { tools?: unknown; content?: unknown };
  for (const list of [tools, content]) {
    if (Array.isArray(list) && list.length > MCP_LISTED_MAX) {
      throw new ServerFault(`The server sent more than ${MCP_LISTED_MAX} tools or parts at once.`);
    }
  }
  if (countValues([tools, content]) > MCP_LISTED_VALUES_MAX) {
    throw new ServerFault(`The server sent more than ${MCP_LISTED_VALUES_MAX} values at once.`);
  }
}

/** How many values a value has, those at any depth included. Stops behind the limit. */
function countValues(value: unknown): number {
  // A list of what to look at, as it may be nested too deeply to recurse.
  const found = [value];
  for (let at = 0; at < found.length && found.length <= MCP_LISTED_VALUES_MAX; at += 1) {
    const next = found[at];
    if (typeof next !== "object" || next === null) continue;
    for (const item of Object.values(next)) found.push(item);
  }
  return found.length;
}
