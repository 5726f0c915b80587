import type { EngineDeps } from "../deps.ts";
import { resolveModel } from "../models/resolve.ts";
import { builtinToolsForTurn } from "../tools/turn-tools.ts";

/** What a turn runs with besides storage and events; tests hand in scripted models and tools. */
export interface ChatPorts {
  resolveModel: typeof resolveModel;
  builtinToolsForTurn: typeof builtinToolsForTurn;
}

export const chatPorts: ChatPorts = { resolveModel, builtinToolsForTurn };

export type ChatDeps = EngineDeps & { chat: ChatPorts };
