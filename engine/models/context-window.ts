import type { ModelConfigurationRow } from "../db/schema.ts";
import type { EngineDeps } from "../deps.ts";
import { isLoopbackHost } from "../runtime/loopback.ts";
import { askForWindow } from "./ask-for-window.ts";
import { findKnownWindow } from "./known-windows.ts";
import { ModelFailure } from "./language-model.ts";
import { OLLAMA_WINDOW_TOKENS, WINDOW_TOKENS_DEFAULT, WINDOWS_MAX } from "./limits.ts";
import { loadProvider } from "./providers/create-model.ts";
import type { ContextWindow } from "./wire.ts";

type WindowDeps = Pick<EngineDeps, "vault" | "fetch" | "timers" | "windows">;

/** What servers said of the windows of their models, in tokens; for the life of the process. */
export class ServerWindows {
  readonly #said = new Map<string, { of: string; tokens: number | undefined }>();

  /** Undefined if it was not asked for yet; `tokens` is undefined if the server did not say it. */
  find(row: ModelConfigurationRow): { tokens: number | undefined } | undefined {
    const known = this.#said.get(row.id);
    return known?.of === modelOf(row) ? known : undefined;
  }

  keep(row: ModelConfigurationRow, tokens: number | undefined): void {
    this.#said.delete(row.id);
    this.#said.set(row.id, { of: modelOf(row), tokens });
    const [oldest] = this.#said.keys();
    if (this.#said.size > WINDOWS_MAX && oldest !== undefined) this.#said.delete(oldest);
  }
}

function modelOf({ provider, model, baseUrl }: ModelConfigurationRow): string {
  return JSON.stringify([provider, model, baseUrl]);
}

/**
 * The context window of a configured model: stated, else what its server says, else that of its family, else a usual one. Before
 * a turn only Ollama and servers on this machine are asked; `asksAll` asks a hosted one, too.
 * @throws EngineError `credential_store`
 */
export async function resolveContextWindow(
  deps: WindowDeps,
  row: ModelConfigurationRow,
  signal: AbortSignal,
  { asksAll = false }: { asksAll?: boolean } = {},
): Promise<ContextWindow> {
  if (row.contextWindow !== null) return { window: row.contextWindow, source: "stated" };
  const opened = await loadProvider(deps, row).catch((error: unknown) => {
    // It cannot be connected, which its turn says.
    if (error instanceof ModelFailure) return undefined;
    throw error;
  });
  const server = opened?.provider.server;
  const isOllama = server?.protocol === "ollama";
  let said = deps.windows.find(row);
  if (!said && opened && server && (asksAll || isOllama || isHere(server.baseUrl))) {
    const { settings, headers } = opened;
    said = await askForWindow(deps, { server, settings, headers }, signal);
    if (said) deps.windows.keep(row, said.tokens);
  }
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
