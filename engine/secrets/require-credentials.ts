import type { EngineDeps } from "../deps.ts";
import type { Requirement } from "../http/route.ts";
import { credentialStoreResponse } from "../http/wire.ts";
import { listSealedSamples } from "./sealed-store.ts";

/** The context that an envelope is bound to: it cannot be decrypted for another record or field. */
export function sealContext(recordId: string, field: string): string {
  return `${recordId}:${field}`;
}

/**
 * Fails every operation on models and tools unless the credential store works: the key exists, and it is the key of the
 * stored envelopes (Engine §7).
 * @throws EngineError `credential_store`
 */
export async function requireCredentials(deps: Pick<EngineDeps, "db" | "vault">): Promise<void> {
  await deps.vault.check();
  for (const { envelope, recordId, field } of await listSealedSamples(deps.db)) {
    await deps.vault.open(envelope, sealContext(recordId, field));
  }
}

/** The same, as routes declare it. */
export function credentialsOf(deps: Pick<EngineDeps, "db" | "vault">): Requirement {
  return { check: () => requireCredentials(deps), responses: credentialStoreResponse };
}
