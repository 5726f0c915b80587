import type { Database } from "../../shared/database.ts";
import type { EngineClient } from "../client/client.ts";
import type { EmbeddingsConfig } from "../config.ts";
import {
  describeUnreachable,
  listProviders,
  toProviderName,
} from "../models/providers/registry.ts";
import { type CheckedModel, listCheckedModels } from "./checked-store.ts";
import { type Finding, fine, warning } from "./finding.ts";
import {
  CHECK_MODEL_WAIT_MS,
  CHECK_WAIT_MS,
  CHECKED_MODELS_MAX,
  CLOCK_DRIFT_MS_MAX,
} from "./limits.ts";

/**
 * Each configured model. A running engine sends it one small request; without one only its address is asked for an answer.
 */
export async function checkModels(
  db: Database,
  engine: EngineClient | undefined,
  signal: AbortSignal,
): Promise<Finding[]> {
  const rows = await listCheckedModels(db, CHECKED_MODELS_MAX);
  if (rows.length === 0) {
    const cure = "`setup` connects one; until then echo answers.";
    return [warning("models", "No model is configured.", cure)];
  }
  return Promise.all(
    rows.map((row) => (engine ? testModel(engine, row, signal) : reachModel(row, signal))),
  );
}

async function testModel(
  engine: EngineClient,
  { id, provider, model, baseUrl }: CheckedModel,
  signal: AbortSignal,
): Promise<Finding> {
  const check = `model ${provider} ${model}`;
  const until = AbortSignal.any([signal, AbortSignal.timeout(CHECK_MODEL_WAIT_MS)]);
  try {
    const { ok, totalMs, error } = await engine.models.testConfiguration(id, { signal: until });
    if (ok) return fine(check, `It responded after ${totalMs} ms.`);
    const isDown = error !== null && error === describeUnreachable(provider, baseUrl ?? undefined);
    const cure = isDown ? cureOf(provider) : "Change the model or its API key.";
    return warning(check, error ?? "It does not respond.", cure);
  } catch (error) {
    if (!until.aborted) throw error;
    return warning(check, "It did not respond in time.", "Check whether its server is busy.");
  }
}

async function reachModel(
  { provider, model, baseUrl, sealedApiKey }: CheckedModel,
  signal: AbortSignal,
): Promise<Finding> {
  const check = `model ${provider} ${model}`;
  const known = listProviders().find((each) => each.provider === toProviderName(provider));
  const address = baseUrl || known?.baseUrl;
  const needsKey = known?.fields.some(({ name, required }) => name === "apiKey" && required);
  if (needsKey && !baseUrl && sealedApiKey === null) {
    return warning(check, "No API key is stored for it.", "Add the key to its configuration.");
  }
  if (!address) return fine(check, "Start the engine to check it.");
  const answered = await reach(address, signal);
  if (answered) return fine(check, "Its server responds.");
  const found = describeUnreachable(provider, address) ?? `${hostOf(address)} does not respond.`;
  return warning(check, found, cureOf(provider));
}

function cureOf(provider: string): string {
  return toProviderName(provider) === "ollama"
    ? "Start it: `ollama serve`."
    : "Start that server, go online, or change the address of the model.";
}

/** A server of embeddings, if one is configured. */
export async function checkEmbeddings(
  embeddings: EmbeddingsConfig,
  signal: AbortSignal,
): Promise<Finding> {
  const check = "embeddings";
  if (embeddings.kind === "builtin") return fine(check, "Built in.");
  if (await reach(embeddings.url, signal)) return fine(check, `${embeddings.model}, reachable.`);
  const found = `${hostOf(embeddings.url)} does not respond.`;
  return warning(check, found, "Start that server, or unset ENGINE_EMBEDDINGS.");
}

/** This clock beside that of the sign-in server: tokens are only valid for minutes. */
export async function checkClock(
  accountUrl: string | null | undefined,
  signal: AbortSignal,
): Promise<Finding> {
  const check = "sign-in server";
  if (!accountUrl) return fine(check, "None is configured.");
  const response = await reach(`${accountUrl}/health`, signal);
  if (!response) {
    const cure = "Start it, or unset ENGINE_ACCOUNT_URL.";
    return warning(check, `${hostOf(accountUrl)} does not respond.`, cure);
  }
  const theirs = Date.parse(response.headers.get("date") ?? "");
  const driftMs = Math.abs(Date.now() - theirs);
  if (Number.isNaN(driftMs)) return fine(check, "It responds, but without its time.");
  if (driftMs <= CLOCK_DRIFT_MS_MAX) return fine(check, "It responds, and the clocks agree.");
  const found = `Its clock differs by ${Math.round(driftMs / 1000)} s.`;
  return warning(check, found, "Set the clock of this machine.");
}

/** Any answer at all; a refusal is one. */
async function reach(url: string, signal: AbortSignal): Promise<Response | undefined> {
  try {
    const until = AbortSignal.any([signal, AbortSignal.timeout(CHECK_WAIT_MS)]);
    const response = await fetch(url, { redirect: "manual", signal: until });
    await response.body?.cancel();
    return response;
  } catch {
    // Not there, or too slow: the caller says so.
    return undefined;
  }
}

/** An address can carry a password. */
function hostOf(url: string): string {
  return URL.parse(url)?.host ?? "Its address";
}
