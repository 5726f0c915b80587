import { DEFAULT_MODEL_KEY } from "../client/default-model.ts";
import type { ModelConfigurationRow } from "../db/schema.ts";
import type { EngineDeps } from "../deps.ts";
import { type EngineError, invalid } from "../errors.ts";
import { findDefaultModelId } from "../settings/store.ts";
import { resolveContextWindow } from "./context-window.ts";
import type { LanguageModel } from "./language-model.ts";
import { WINDOW_TOKENS_DEFAULT } from "./limits.ts";
import { createModel } from "./providers/create-model.ts";
import { ECHO_MODEL_ID, echoModel } from "./providers/echo.ts";
import { toProviderName } from "./providers/registry.ts";
import {
  findModelConfiguration,
  findModelConfigurationByName,
  hasModelConfiguration,
} from "./store.ts";
import type { ContextWindow } from "./wire.ts";

/** What a model is made with. */
export type ResolveDeps = Pick<
  EngineDeps,
  "db" | "vault" | "serverModels" | "fetch" | "timers" | "clock" | "log"
>;

/** The sources of a turn's model, by precedence. Null, undefined and an empty string name none. */
export interface ModelChoice {
  /** `model_id` of the frame. */
  requested: string | null | undefined;
  threadDefault: string | null;
  workspaceDefault: string | null;
}

/** The model of a turn. Its provider package is loaded at the first step. */
export interface ResolvedModel {
  /** The configuration id, or `echo`. */
  id: string;
  /** The thread's new default model; undefined keeps the stored one. */
  persist: string | null | undefined;
  /** Whether attachment bytes may go to it (Engine §4, file context rule 5). */
  acceptsAttachments: boolean;
  /** Whether it can be asked for a summary; echo would repeat the conversation. */
  canSummarize: boolean;
  /** Sentences for the user about the choice. */
  notices: readonly string[];
  /** Whether it was seen to refuse tools. */
  refusesTools(): boolean;
  noteRefusedTools(): void;
  /** Asks its server if that is known to be on this machine, for at most a second. @throws EngineError `credential_store` */
  window(signal: AbortSignal): Promise<ContextWindow>;
  /**
   * The model with a context window of so many tokens.
   * @throws EngineError `credential_store`; ModelFailure if the provider's settings cannot work.
   */
  create(contextWindow: number): Promise<LanguageModel>;
}

const ECHO_ANSWERS =
  "No model was chosen, so echo repeated your text. Choose a model, or set the default model of the engine.";

/**
 * Frame, then thread, then workspace, then the engine's default if it is set, then echo (Engine §3, turn ordering 3). A
 * default that no longer exists is an error, never a silent fallback.
 * @throws EngineError `invalid`
 */
export async function resolveModel(deps: ResolveDeps, choice: ModelChoice): Promise<ResolvedModel> {
  const { requested, threadDefault, workspaceDefault } = choice;
  if (requested) return resolveNamed(deps, requested, "The requested model");
  if (threadDefault) return resolveNamed(deps, threadDefault, "The default model of the thread");
  if (workspaceDefault) {
    return resolveNamed(deps, workspaceDefault, "The default model of the workspace");
  }
  const defaultId = await findDefaultModelId(deps.db);
  if (defaultId === undefined) {
    const notices = (await hasModelConfiguration(deps.db)) ? [ECHO_ANSWERS] : [];
    return { ...resolvedEcho(undefined), notices };
  }
  const row = await findModelConfiguration(deps.db, defaultId);
  if (!row) throw absent(`The default model of the engine (the setting ${DEFAULT_MODEL_KEY})`);
  return toResolved(deps, row);
}

async function resolveNamed(deps: ResolveDeps, name: string, what: string): Promise<ResolvedModel> {
  if (name === ECHO_MODEL_ID) return resolvedEcho(ECHO_MODEL_ID);
  const row = await findModelConfigurationByName(deps.db, name, { byAlias: false });
  if (!row) throw absent(what);
  return toResolved(deps, row);
}

function absent(what: string): EngineError {
  return invalid(`${what} does not exist. Choose another model, or configure it again.`);
}

function toResolved(deps: ResolveDeps, row: ModelConfigurationRow): ResolvedModel {
  if (toProviderName(row.provider) === ECHO_MODEL_ID)
    return { ...resolvedEcho(row.id), id: row.id };
  return {
    id: row.id,
    persist: row.id,
    acceptsAttachments: true,
    canSummarize: true,
    notices: [],
    refusesTools: () => deps.serverModels.refusesTools(row),
    noteRefusedTools: () => deps.serverModels.noteRefusedTools(row),
    window: (signal) => resolveContextWindow(deps, row, { signal }),
    create: (contextWindow) => createModel(deps, row, { contextWindow }),
  };
}

function resolvedEcho(persist: string | undefined): ResolvedModel {
  return {
    id: ECHO_MODEL_ID,
    persist,
    acceptsAttachments: false,
    canSummarize: false,
    notices: [],
    refusesTools: () => false,
    noteRefusedTools() {},
    window: async () => ({ window: WINDOW_TOKENS_DEFAULT, source: "assumed" }),
    create: async () => echoModel,
  };
}
