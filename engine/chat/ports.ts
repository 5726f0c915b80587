import type { EngineDeps } from "../deps.ts";
import { resolveModel } from "../models/resolve.ts";
import { builtinToolsForTurn } from "../tools/builtin/catalog.ts";

/** What a turn runs with besides storage and events; tests hand in scripted models and tools. */
export interface ChatPorts {
  resolveModel: typeof resolveModel;
  builtinToolsForTurn: typeof builtinToolsForTurn;
}

export const chatPorts: ChatPorts = { resolveModel, builtinToolsForTurn };

/** What chat needs from outside. */
export type ChatDeps = Pick<
  EngineDeps,
  | "config"
  | "db"
  | "events"
  | "deletions"
  | "clock"
  | "timers"
  | "log"
  | "vault"
  | "retrieval"
  | "fetch"
> & { chat: ChatPorts };
