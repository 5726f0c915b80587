import { isJsonObject } from "../../shared/json.ts";
import type { EngineDeps } from "../deps.ts";
import { isLoopbackHost } from "../runtime/loopback.ts";
import { askServer, type ServerAnswer } from "./ask-server.ts";
import { OLLAMA_WINDOW_TOKENS, WINDOW_ANSWER_BYTES_MAX, WINDOW_MS_MAX } from "./limits.ts";
import { withHeaders } from "./providers/create-model.ts";
import type { ModelServer } from "./providers/registry.ts";

/** A model at a server, and what goes with a question. */
interface Question {
  server: ModelServer;
  settings: { model: string; apiKey: string | undefined };
  headers: Readonly<Record<string, string>>;
}

/**
 * Asks a server for the context window of a model, for at most one second. Undefined if it does not answer; `tokens` is
 * undefined if it answers and says none. Never throws.
 */
export async function askForWindow(
  { fetch, timers }: Pick<EngineDeps, "fetch" | "timers">,
  { server, settings, headers }: Question,
): Promise<{ tokens: number | undefined } | undefined> {
  const { model, apiKey } = settings;
  const deps = { fetch: withHeaders(fetch, headers), timers };
  const ask: Ask = (url, body) =>
    askServer(deps, url, {
      headers: bearer(apiKey),
      body,
      bytesMax: WINDOW_ANSWER_BYTES_MAX,
      delayMs: WINDOW_MS_MAX,
      redirect: "manual",
    });
  const find = server.protocol === "ollama" ? askOllama : askCompatible;
  return await find(ask, server.baseUrl, model);
}

type Ask = (url: string, body?: object) => Promise<ServerAnswer | undefined>;

/** The header of a key, if there is one. */
export function bearer(apiKey: string | undefined): Record<string, string> {
  return apiKey ? { Authorization: `Bearer ${apiKey}` } : {};
}

/** `num_ctx` of the model, else the usual window, at most the maximum of the model. */
async function askOllama(ask: Ask, baseUrl: string, model: string) {
  const shown = await ask(`${baseUrl}/api/show`, { model });
  if (!shown) return undefined;
  const stated = String(shown.parameters ?? "")
    .split("\n")
    .map((line) => /^num_ctx\s+(\d{1,12})\s*$/.exec(line)?.[1])
    .find((count) => count !== undefined);
  const info = isJsonObject(shown.model_info) ? shown.model_info : {};
  const max = toTokens(info[`${info["general.architecture"]}.context_length`]);
  const tokens = toTokens(Number(stated)) ?? Math.min(OLLAMA_WINDOW_TOKENS, max ?? Infinity);
  return { tokens };
}

/** LM Studio, llama.cpp and vLLM on this machine; elsewhere only the list of models, which OpenRouter fills. */
async function askCompatible(ask: Ask, baseUrl: string, model: string) {
  const { origin, hostname } = new URL(baseUrl);
  const askHere = async (path: string) =>
    isLoopbackHost(hostname) ? ask(origin + path) : undefined;
  const [listed, lmStudio, props] = await Promise.all([
    ask(`${baseUrl}/models`),
    askHere("/api/v0/models"),
    askHere("/props"),
  ]);
  if (!listed && !lmStudio && !props) return undefined;
  const models = entriesOf(listed);
  const known = models.find(({ id }) => id === model);
  const loaded = entriesOf(lmStudio).find(({ id }) => id === model);
  const settings = props?.default_generation_settings;
  const llamaCpp = models.length === 1 && isJsonObject(settings) ? settings.n_ctx : undefined;
  const said = [
    loaded?.loaded_context_length,
    loaded?.max_context_length,
    llamaCpp,
    known?.max_model_len,
    known?.context_length,
  ];
  return { tokens: said.map(toTokens).find((tokens) => tokens !== undefined) };
}

function entriesOf(answer: ServerAnswer | undefined): ServerAnswer[] {
  return Array.isArray(answer?.data) ? answer.data.filter(isJsonObject) : [];
}

/** What is no positive whole number was not said. */
export function toTokens(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
