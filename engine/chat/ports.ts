import type { EngineDeps } from "../deps.ts";
import type { Forks } from "../forks/forks.ts";
import type { McpServers } from "../mcp/mcp-servers.ts";
import type { AttachmentFiles } from "../messages/attachment-files.ts";
import { resolveModel } from "../models/resolve.ts";
import { builtinToolsForTurn } from "../tools/builtin/catalog.ts";

/** Where a turn gets its model and tools; tests pass scripted ones. */
export interface ChatPorts {
  resolveModel: typeof resolveModel;
  builtinToolsForTurn: typeof builtinToolsForTurn;
}

export const chatPorts: ChatPorts = { resolveModel, builtinToolsForTurn };

/** The dependencies of chat. */
export type ChatDeps = Pick<
  EngineDeps,
  | "config"
  | "db"
  | "events"
  | "changes"
  | "clock"
  | "timers"
  | "log"
  | "vault"
  | "serverModels"
  | "retrieval"
  | "fetch"
> & { chat: ChatPorts; mcp: McpServers; attachments: AttachmentFiles; forks: Forks };
