import { isJsonObject } from "../../shared/json.ts";
import { withDeadline } from "../deadline.ts";
import type { EngineDeps } from "../deps.ts";
import { EngineError, invalid } from "../errors.ts";
import { toTokens } from "./ask-for-window.ts";
import { askServer } from "./ask-server.ts";
import { findKnownWindow } from "./known-windows.ts";
import { ModelFailure } from "./language-model.ts";
import {
  DISCOVERED_MODELS_MAX,
  MODEL_NAME_CHARACTERS_MAX,
  OFFERED_MS_MAX,
  WINDOW_ANSWER_BYTES_MAX,
} from "./limits.ts";
import { listProviders, parseBaseUrl, toProviderName } from "./providers/registry.ts";
import type { OfferedModel, OfferedModelsRequest } from "./wire.ts";

/**
 * The models that a provider lists for an address and a key, by id. The key goes to that address alone and is not stored.
 * @throws EngineError `invalid` if the provider has no list or a setting is missing, `provider` if it refuses or does not answer
 */
export async function listOfferedModels(
  { fetch, timers }: Pick<EngineDeps, "fetch" | "timers">,
  { provider, baseUrl, apiKey }: OfferedModelsRequest,
  signal: AbortSignal,
): Promise<OfferedModel[]> {
  const { url, headers } = addressOf(provider, baseUrl?.trim() || undefined, apiKey?.trim());
  using limited = withDeadline(timers, signal, { delayMs: OFFERED_MS_MAX, reason: undefined });
  const answer = await askServer(fetch, url, {
    headers,
    bytesMax: WINDOW_ANSWER_BYTES_MAX,
    redirect: "manual",
    signal: limited.signal,
  });
  const entries = answer?.data ?? answer?.models;
  if (!Array.isArray(entries)) {
    const { host } = new URL(url);
    throw new EngineError("provider", `${host} lists no models. Check the address and the key.`);
  }
  return entries
    .flatMap((entry) => (isJsonObject(entry) ? toOffered(entry) : []))
    .slice(0, DISCOVERED_MODELS_MAX)
    .sort((one, other) => one.id.localeCompare(other.id));
}

/** Where the provider lists its models, and what goes with the request. @throws EngineError `invalid` */
function addressOf(name: string, baseUrl: string | undefined, apiKey = "") {
  const provider = toProviderName(name);
  const known = listProviders().find((it) => it.provider === provider);
  const written = baseUrl ?? known?.baseUrl;
  if (!written || provider === "bedrock") {
    throw invalid(`The engine does not know where the provider ${provider} lists its models.`);
  }
  const base = parseAddress(written);
  switch (provider) {
    case "anthropic": {
      const headers = { "x-api-key": apiKey, "anthropic-version": "2023-06-01" };
      return { url: `${base}/models?limit=1000`, headers };
    }
    case "google":
      return { url: `${base}/models?pageSize=1000`, headers: { "x-goog-api-key": apiKey } };
    case "ollama":
      return { url: `${base.replace(/\/v1$/, "")}/api/tags`, headers: bearer(apiKey) };
    default:
      return { url: `${base}/models`, headers: bearer(apiKey) };
  }
}

function bearer(apiKey: string): Record<string, string> {
  return apiKey === "" ? {} : { Authorization: `Bearer ${apiKey}` };
}

function parseAddress(written: string): string {
  try {
    return parseBaseUrl(written);
  } catch (error) {
    throw error instanceof ModelFailure ? invalid(error.message) : error;
  }
}

/** OpenAI and its kin have `id`, Google `models/…` as `name`, Ollama `name`; windows have many names. */
function toOffered(entry: Readonly<Record<string, unknown>>): OfferedModel[] {
  const named = entry.id ?? entry.name;
  if (typeof named !== "string" || named.trim() === "") return [];
  if (named.length > MODEL_NAME_CHARACTERS_MAX) return [];
  const id = named.replace(/^models\//, "");
  const stated =
    toTokens(entry.context_length) ??
    toTokens(entry.max_model_len) ??
    toTokens(entry.inputTokenLimit) ??
    toTokens(entry.max_input_tokens);
  return [{ id, contextWindow: stated ?? findKnownWindow(id) ?? null }];
}
