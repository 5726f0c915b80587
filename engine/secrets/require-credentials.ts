import type { EngineDeps } from "../deps.ts";
import { listSealedSamples } from "./sealed-store.ts";

/** The context that an envelope is bound to: moved to another record or field, it does not open. */
export function sealContext(recordId: string, field: string): string {
  return `${recordId}:${field}`;
}

/**
 * Holds every operation on models and tools to a credential store that works: the key is there, and it is the key that
 * what is stored was sealed with (Engine §7).
 * @throws EngineError `credential_store`
 */
export async function requireCredentials(deps: Pick<EngineDeps, "db" | "vault">): Promise<void> {
  await deps.vault.check();
  for (const { envelope, recordId, field } of await listSealedSamples(deps.db)) {
    await deps.vault.open(envelope, sealContext(recordId, field));
  }
}
