import { isJsonObject } from "../../shared/json.ts";
import type { EngineDeps } from "../deps.ts";
import { EngineError, invalid } from "../errors.ts";
import { bearer, toTokens } from "./ask-for-window.ts";
import { askServer, type ServerAnswer } from "./ask-server.ts";
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
  deps: Pick<EngineDeps, "fetch" | "timers">,
  { provider, baseUrl, apiKey }: OfferedModelsRequest,
  signal: AbortSignal,
): Promise<OfferedModel[]> {
  const { url, headers } = addressOf(provider, baseUrl?.trim() || undefined, apiKey?.trim());
  const answer = await askServer(deps, url, {
    headers,
    bytesMax: WINDOW_ANSWER_BYTES_MAX,
    delayMs: OFFERED_MS_MAX,
    redirect: "manual",
    signal,
  });
  const models = modelsIn(answer);
  if (!models) {
    const { host } = new URL(url);
    throw new EngineError("provider", `${host} lists no models. Check the address and the key.`);
  }
  return models
    .map(toOffered)
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

function parseAddress(written: string): string {
  try {
    return parseBaseUrl(written);
  } catch (error) {
    throw error instanceof ModelFailure ? invalid(error.message) : error;
  }
}

/** A model in the list of a server. */
interface ListedModel {
  name: string;
  entry: ServerAnswer;
}

/** The models of a list, undefined if it is none. OpenAI and its kin have `id`, Google and Ollama `name`. */
export function modelsIn(answer: ServerAnswer | undefined): ListedModel[] | undefined {
  const entries = answer?.data ?? answer?.models;
  if (!Array.isArray(entries)) return undefined;
  return entries.filter(isJsonObject).flatMap((entry) => {
    const name = entry.id ?? entry.name;
    if (typeof name !== "string" || name.trim() === "") return [];
    return name.length > MODEL_NAME_CHARACTERS_MAX ? [] : [{ name, entry }];
  });
}

/** Google's names begin with `models/`; windows have many names. */
function toOffered({ name, entry }: ListedModel): OfferedModel {
  const id = name.replace(/^models\//, "");
  const stated =
    toTokens(entry.context_length) ??
    toTokens(entry.max_model_len) ??
    toTokens(entry.inputTokenLimit) ??
    toTokens(entry.max_input_tokens);
  return { id, contextWindow: stated ?? findKnownWindow(id) ?? null };
}
