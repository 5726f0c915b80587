import { isJsonObject } from "../../shared/json.ts";
import type { ForeignText } from "./foreign-text.ts";
import {
  MCP_DESCRIPTION_BYTES_MAX,
  MCP_SCHEMA_BYTES_MAX,
  MCP_TOOL_NAME_CHARACTERS_MAX,
  MCP_TOOLS_BYTES_MAX,
  MCP_TOOLS_MAX,
} from "./limits.ts";

/** A tool as its server lists it, cleaned. */
export interface ServerTool {
  /** The server's own name of it. */
  name: string;
  description: string;
  /** JSON Schema of the arguments object. */
  parameters: Record<string, unknown>;
  /** Equal where description and schema are equal: what a person approves. */
  fingerprint: string;
}

interface ListedTool {
  name: string;
  description?: string | undefined;
  inputSchema: unknown;
}

/** Collects the tools of one server: whole ones within the bounds, each name once. */
export class ServerTools {
  readonly #text: ForeignText;
  readonly #tools = new Map<string, ServerTool>();
  #bytes = 0;
  #leftOut = 0;

  constructor(text: ForeignText) {
    this.#text = text;
  }

  /** Whether another page of the list can bring something. */
  get isFull(): boolean {
    return this.#tools.size >= MCP_TOOLS_MAX || this.#bytes >= MCP_TOOLS_BYTES_MAX;
  }

  /** How many tools were left out, for their size or their number. */
  get leftOut(): number {
    return this.#leftOut;
  }

  get all(): readonly ServerTool[] {
    return [...this.#tools.values()];
  }

  /** Whether the tool was taken. */
  add(listed: ListedTool): boolean {
    const isWanted = !this.isFull && !this.#tools.has(listed.name);
    const tool = isWanted ? toServerTool(listed, this.#text) : undefined;
    const bytes = tool ? Buffer.byteLength(tool.fingerprint) : 0;
    if (!tool || this.#bytes + bytes > MCP_TOOLS_BYTES_MAX) {
      this.#leftOut += 1;
      return false;
    }
    this.#bytes += bytes;
    this.#tools.set(tool.name, tool);
    return true;
  }
}

function toServerTool(
  { name, description = "", inputSchema }: ListedTool,
  text: ForeignText,
): ServerTool | undefined {
  if (name === "" || name.length > MCP_TOOL_NAME_CHARACTERS_MAX) return undefined;
  if (text.clean(name, name.length * 3) !== name || !isJsonObject(inputSchema)) return undefined;
  const schema = text.redact(JSON.stringify(inputSchema));
  if (Buffer.byteLength(schema) > MCP_SCHEMA_BYTES_MAX) return undefined;
  const clean = text.clean(description, MCP_DESCRIPTION_BYTES_MAX);
  const parameters = { ...(JSON.parse(schema) as Record<string, unknown>), type: "object" };
  const fingerprint = JSON.stringify([clean, parameters]);
  return { name, description: clean, parameters, fingerprint };
}
