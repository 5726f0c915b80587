import { isJsonObject } from "../../shared/json.ts";
import { withDeadline } from "../deadline.ts";
import type { EngineDeps } from "../deps.ts";
import { isLoopbackHost } from "../runtime/loopback.ts";
import { askServer } from "./ask-server.ts";
import { OLLAMA_WINDOW_TOKENS, WINDOW_ANSWER_BYTES_MAX, WINDOW_MS_MAX } from "./limits.ts";
import { withHeaders } from "./providers/create-model.ts";
import type { ModelServer } from "./providers/registry.ts";

type AskDeps = Pick<EngineDeps, "fetch" | "timers">;
type Json = Readonly<Record<string, unknown>>;

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
  deps: AskDeps,
  { server, settings, headers }: Question,
): Promise<{ tokens: number | undefined } | undefined> {
  const { signal } = new AbortController();
  using limited = withDeadline(deps.timers, signal, { delayMs: WINDOW_MS_MAX, reason: undefined });
  const { model, apiKey } = settings;
  const fetch = withHeaders(deps.fetch, headers);
  const key: Record<string, string> = apiKey ? { Authorization: `Bearer ${apiKey}` } : {};
  const rules = {
    bytesMax: WINDOW_ANSWER_BYTES_MAX,
    redirect: "manual",
    signal: limited.signal,
  } as const;
  const ask: Ask = (url, body) => askServer(fetch, url, { headers: key, body, ...rules });
  const find = server.protocol === "ollama" ? askOllama : askCompatible;
  return await find(ask, server.baseUrl, model);
}

type Ask = (url: string, body?: Json) => Promise<Json | undefined>;

/** `num_ctx` of the model, else the usual window, at most the maximum of the model. */
async function askOllama(ask: Ask, baseUrl: string, model: string) {
  const shown = await ask(`${baseUrl}/api/show`, { model });
  if (!shown) return undefined;
  const [, stated] = /^num_ctx\s+(\d{1,12})\s*$/m.exec(String(shown.parameters ?? "")) ?? [];
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

function entriesOf(answer: Json | undefined): Json[] {
  return Array.isArray(answer?.data) ? answer.data.filter(isJsonObject) : [];
}

/** What is no positive whole number was not said. */
export function toTokens(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
