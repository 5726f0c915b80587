import { toIsoTime } from "../../shared/clock.ts";
import type { ModelConfigurationRow } from "../db/schema.ts";
import type { EngineDeps } from "../deps.ts";
import { failure } from "../errors.ts";
import { changedFields } from "../events/change.ts";
import { sealCredentials } from "./credentials.ts";
import {
  getModelConfiguration,
  insertModelConfiguration,
  patchModelConfiguration,
} from "./store.ts";
import type { UpsertModelConfiguration } from "./wire.ts";

type ConfigurationDeps = Pick<EngineDeps, "db" | "vault" | "clock" | "log" | "changes">;

/** Stores a new configuration. @throws EngineError `credential_store` */
export async function createModelConfiguration(
  deps: ConfigurationDeps,
  input: UpsertModelConfiguration,
): Promise<ModelConfigurationRow> {
  const id = crypto.randomUUID();
  const now = toIsoTime(deps.clock.now());
  const row = await insertModelConfiguration(deps.db, {
    id,
    ...plainFields(input),
    ...(await sealCredentials(deps.vault, id, input)),
    createdAt: now,
    updatedAt: now,
  });
  deps.changes.publish({ type: "model.created", data: { modelId: id } });
  return row;
}

/**
 * Replaces a configuration: omitted plain fields are cleared, omitted credentials are kept (Engine §2, update rules).
 * @throws EngineError `absent`, `credential_store`
 */
export async function updateModelConfiguration(
  deps: ConfigurationDeps,
  id: string,
  input: UpsertModelConfiguration,
): Promise<ModelConfigurationRow> {
  const before = await getModelConfiguration(deps.db, id);
  const row = await patchModelConfiguration(deps.db, id, {
    ...plainFields(input),
    ...(await sealCredentials(deps.vault, id, input)),
    updatedAt: toIsoTime(deps.clock.now()),
  });
  if (!row) throw failure("absent");
  warnOfKeptKey(deps, before, row);
  const changed = changedNames(before, row);
  deps.changes.publish({ type: "model.updated", data: { modelId: id, changed } });
  return row;
}

function plainFields(input: UpsertModelConfiguration) {
  return {
    provider: input.provider,
    model: input.model,
    alias: input.alias ?? null,
    baseUrl: input.baseUrl ?? null,
    region: input.region ?? null,
    contextWindow: input.contextWindow ?? null,
  };
}

/** Credentials by the names under which they were sent. */
function changedNames(before: ModelConfigurationRow, row: ModelConfigurationRow): string[] {
  return changedFields(before, row)
    .filter((name) => name !== "updatedAt")
    .map((name) => name.replace(/^sealed([A-Z])/, (_, letter: string) => letter.toLowerCase()));
}

// The contract keeps an omitted key. The log warns the operator that a stored key will be sent to another host.
function warnOfKeptKey(
  { log }: ConfigurationDeps,
  before: ModelConfigurationRow,
  row: ModelConfigurationRow,
): void {
  const keptKey = row.sealedApiKey !== null && row.sealedApiKey === before.sealedApiKey;
  const [from, to] = [hostOf(before.baseUrl), hostOf(row.baseUrl)];
  if (!keptKey || from === to) return;
  log.warn(
    { modelConfigurationId: row.id, from, to },
    "The base URL of a model changed: its stored API key will be sent to the new address.",
  );
}

function hostOf(url: string | null): string | null {
  return url === null ? null : URL.canParse(url) ? new URL(url).host : "invalid";
}
