import type { ModelConfigurationRow } from "../db/schema.ts";
import type { EngineDeps } from "../deps.ts";
import { failure } from "../errors.ts";
import { sealContext } from "../secrets/require-credentials.ts";
import type { Vault } from "../secrets/vault.ts";
import type { ModelHeaders } from "./headers-wire.ts";
import { replaceModelOptions } from "./store.ts";

type HeaderDeps = Pick<EngineDeps, "db" | "vault" | "changes">;

/**
 * Replaces the headers of a configuration; an empty map removes them.
 * @throws EngineError `absent`, `credential_store`
 */
export async function putModelHeaders(
  { db, vault, changes }: HeaderDeps,
  id: string,
  headers: ModelHeaders,
): Promise<{ names: string[] }> {
  const names = Object.keys(headers);
  const sealed =
    names.length === 0
      ? null
      : await vault.seal(JSON.stringify(headers), sealContext(id, "headers"));
  if (!(await replaceModelOptions(db, id, { sealedHeaders: sealed }))) throw failure("absent");
  changes.publish({ type: "model.updated", data: { modelId: id, changed: ["headers"] } });
  return { names };
}

/** @throws EngineError `credential_store` */
export async function decryptModelHeaders(
  vault: Vault,
  { id, sealedHeaders }: Pick<ModelConfigurationRow, "id" | "sealedHeaders">,
): Promise<ModelHeaders> {
  if (sealedHeaders === null) return {};
  // The engine sealed it.
  return JSON.parse(await vault.open(sealedHeaders, sealContext(id, "headers"))) as ModelHeaders;
}
