import { BoundedMap } from "../../shared/bounded-map.ts";
import type { ModelConfigurationRow } from "../db/schema.ts";
import type { EngineDeps } from "../deps.ts";
import { isLoopbackHost } from "../runtime/loopback.ts";
import { untilAborted } from "../until-aborted.ts";
import { askForWindow } from "./ask-for-window.ts";
import { findKnownWindow } from "./known-windows.ts";
import { ModelFailure } from "./language-model.ts";
import { OLLAMA_WINDOW_TOKENS, SERVER_MODELS_MAX, WINDOW_TOKENS_DEFAULT } from "./limits.ts";
import { loadProvider } from "./providers/create-model.ts";
import type { ContextWindow } from "./wire.ts";

type WindowDeps = Pick<EngineDeps, "vault" | "fetch" | "timers" | "serverModels">;

/** The answer of a server; `tokens` is undefined if it said none. */
type Said = { tokens: number | undefined } | undefined;

/** What servers showed of their models, by configuration; for the life of the process. */
export class ServerModels {
  readonly #said = new BoundedMap<string, { of: string; said: Promise<Said> }>(SERVER_MODELS_MAX);
  readonly #withoutTools = new BoundedMap<string, string>(SERVER_MODELS_MAX);

  /** Whether the model was seen to refuse tools. */
  refusesTools(row: ModelConfigurationRow): boolean {
    return this.#withoutTools.get(row.id) === modelOf(row);
  }

  noteRefusedTools(row: ModelConfigurationRow): void {
    this.#withoutTools.set(row.id, modelOf(row));
  }

  /** Its window. Asks once at a time for a model. Without `ask`, and without an answer of before, there is none. */
  async findWindow(row: ModelConfigurationRow, ask?: () => Promise<Said>): Promise<Said> {
    const of = modelOf(row);
    const known = this.#said.get(row.id);
    if (known?.of === of) return known.said;
    if (!ask) return undefined;
    const asked = { of, said: ask() };
    this.#said.set(row.id, asked);
    const said = await asked.said;
    // No answer: the next turn asks again.
    if (!said && this.#said.get(row.id) === asked) this.#said.delete(row.id);
    return said;
  }
}

function modelOf({ provider, model, baseUrl }: ModelConfigurationRow): string {
  return JSON.stringify([provider, model, baseUrl]);
}

/**
 * The context window of a configured model: stated, else what its server says, else that of its family, else a usual one. Before
 * a turn only Ollama and servers on this machine are asked; `asksAll` asks a hosted one, too.
 * @throws EngineError `credential_store`; the reason of the signal
 */
export async function resolveContextWindow(
  deps: WindowDeps,
  row: ModelConfigurationRow,
  { signal, asksAll = false }: { signal?: AbortSignal; asksAll?: boolean } = {},
): Promise<ContextWindow> {
  if (row.contextWindow !== null) return { window: row.contextWindow, source: "stated" };
  const opened = await loadProvider(deps, row).catch((error: unknown) => {
    // It cannot be connected, which its turn says.
    if (error instanceof ModelFailure) return undefined;
    throw error;
  });
  const server = opened?.provider.server;
  const isOllama = server?.protocol === "ollama";
  const isAsked = server && (asksAll || isOllama || isHere(server.baseUrl));
  const ask = isAsked
    ? () => askForWindow(deps, { server, settings: opened.settings, headers: opened.headers })
    : undefined;
  const finding = deps.serverModels.findWindow(row, ask);
  const said = await (signal ? untilAborted(signal, finding) : finding);
  if (said?.tokens !== undefined) return { window: said.tokens, source: "server" };
  // Ollama loads a model with the window that a request names.
  if (isOllama) return { window: OLLAMA_WINDOW_TOKENS, source: said ? "server" : "assumed" };
  const known = findKnownWindow(row.model);
  if (known !== undefined) return { window: known, source: "known" };
  return { window: WINDOW_TOKENS_DEFAULT, source: "assumed" };
}

function isHere(baseUrl: string): boolean {
  return isLoopbackHost(new URL(baseUrl).hostname);
}
