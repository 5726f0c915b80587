import type { ModelConfigurationRow } from "../db/schema.ts";
import type { EngineDeps } from "../deps.ts";
import { failure } from "../errors.ts";
import { sealContext } from "../secrets/require-credentials.ts";
import type { Vault } from "../secrets/vault.ts";
import { ModelFailure } from "./language-model.ts";
import { replaceModelOptions } from "./store.ts";
import type { ModelHeaders, UpsertModelConfiguration } from "./wire.ts";

/** The decrypted credentials of a configuration; held only while a model is opened. */
export interface ModelCredentials {
  apiKey: string | undefined;
  cloudAccessKeyId: string | undefined;
  cloudSecretAccessKey: string | undefined;
  cloudSessionToken: string | undefined;
}

type Sealed = Pick<
  ModelConfigurationRow,
  | "sealedApiKey"
  | "sealedCloudAccessKeyId"
  | "sealedCloudSecretAccessKey"
  | "sealedCloudSessionToken"
>;

/**
 * The credential columns that an upsert writes: undefined keeps the stored value, null clears it (Engine §2, update rules
 * 3 to 5).
 */
export async function sealCredentials(
  vault: Vault,
  id: string,
  input: UpsertModelConfiguration,
): Promise<{ [Column in keyof Sealed]: string | null | undefined }> {
  const seal = async (field: keyof ModelCredentials): Promise<string | null | undefined> => {
    const secret = input[field];
    if (secret === null || secret === undefined) return undefined;
    return secret === "" ? null : vault.seal(secret, sealContext(id, field));
  };
  const apiKey = await seal("apiKey");
  return {
    sealedApiKey: apiKey === undefined && input.clearApiKey ? null : apiKey,
    sealedCloudAccessKeyId: await seal("cloudAccessKeyId"),
    sealedCloudSecretAccessKey: await seal("cloudSecretAccessKey"),
    sealedCloudSessionToken: await seal("cloudSessionToken"),
  };
}

/** @throws EngineError `credential_store`; ModelFailure if one cannot be sent */
export async function decryptCredentials(
  vault: Vault,
  row: Sealed & { id: string },
): Promise<ModelCredentials> {
  const open = async (envelope: string | null, field: keyof ModelCredentials) =>
    envelope === null
      ? undefined
      : toUsable(await vault.open(envelope, sealContext(row.id, field)));
  return {
    apiKey: await open(row.sealedApiKey, "apiKey"),
    cloudAccessKeyId: await open(row.sealedCloudAccessKeyId, "cloudAccessKeyId"),
    cloudSecretAccessKey: await open(row.sealedCloudSecretAccessKey, "cloudSecretAccessKey"),
    cloudSessionToken: await open(row.sealedCloudSessionToken, "cloudSessionToken"),
  };
}

// Pasted keys may have white space around them. The error of `fetch` would quote a value that no header can carry.
function toUsable(secret: string): string | undefined {
  const text = secret.trim();
  if (/^[\x21-\x7e]*$/.test(text)) return text || undefined;
  throw new ModelFailure("A credential of this model holds characters that cannot be sent.");
}

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
