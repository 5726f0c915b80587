import type { ModelConfigurationRow } from "../../db/schema.ts";
import type { EngineDeps } from "../../deps.ts";
import { decryptCredentials, decryptModelHeaders } from "../credentials.ts";
import type { LanguageModel } from "../language-model.ts";
import { MODEL_RETRIES_MAX } from "../limits.ts";
import { toModelParameters } from "../wire.ts";
import { ECHO_MODEL_ID, echoModel } from "./echo.ts";
import { describeUnreachable, resolveProvider, toProviderName } from "./registry.ts";
import { toLanguageModel } from "./steps.ts";

type Fetch = typeof globalThis.fetch;
type CreateDeps = Pick<EngineDeps, "vault" | "fetch" | "timers" | "clock" | "log">;

interface ModelOptions {
  /** In tokens. */
  contextWindow: number;
  retriesMax?: number;
}

/**
 * The model of a stored configuration, with decrypted credentials. Its provider's package is loaded at the first step.
 * @throws EngineError `credential_store`; ModelFailure if the configuration cannot work
 */
export async function createModel(
  deps: CreateDeps,
  row: ModelConfigurationRow,
  { contextWindow, retriesMax = MODEL_RETRIES_MAX }: ModelOptions,
): Promise<LanguageModel> {
  if (toProviderName(row.provider) === ECHO_MODEL_ID) return echoModel;
  const { provider, settings, headers, keys } = await loadProvider(deps, row);
  return toLanguageModel(deps, {
    label: { modelConfigurationId: row.id, provider: row.provider, model: row.model },
    dialect: provider.dialect,
    failing: {
      secrets: [...keys, ...Object.values(headers)],
      hasKey: keys.length > 0,
      ifNotFound: provider.ifNotFound,
      ifUnreachable: describeUnreachable(row.provider, settings.baseUrl),
    },
    parameters: toModelParameters(row),
    contextWindow,
    retriesMax,
    connect: (fetch) => provider.connect(withHeaders(fetch, headers)),
  });
}

/**
 * The provider of a stored configuration, with all that its requests need.
 * @throws EngineError `credential_store`; ModelFailure if the configuration cannot work
 */
export async function loadProvider(
  { vault }: Pick<EngineDeps, "vault">,
  row: ModelConfigurationRow,
) {
  const credentials = await decryptCredentials(vault, row);
  const settings = {
    ...credentials,
    model: row.model,
    baseUrl: row.baseUrl?.trim() || undefined,
    region: row.region?.trim() || undefined,
  };
  const provider = resolveProvider(row.provider, settings);
  const headers = await decryptModelHeaders(vault, row);
  const keys = Object.values(credentials).filter((secret) => secret !== undefined);
  return { provider, settings, headers, keys };
}

/** Configured headers replace those of the provider's package. A redirect is not followed: it could lead elsewhere. */
export function withHeaders(fetch: Fetch, given: Readonly<Record<string, string>>): Fetch {
  const entries = Object.entries(given);
  if (entries.length === 0) return fetch;
  return (input, init) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of entries) headers.set(name, value);
    return fetch(input, { ...init, headers, redirect: "manual" });
  };
}
