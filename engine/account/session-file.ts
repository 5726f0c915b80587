import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { SessionStore } from "../../shared/client/session-keeper.ts";
import { writePrivateFile } from "../../shared/node/private-file.ts";
import { unlessMissing } from "../../shared/system-error.ts";
import type { Vault } from "../secrets/vault.ts";

/** The file of the session in the data directory. */
export const SESSION_FILE = "account.sealed";
const CONTEXT = "account|refresh_token";

/**
 * The refresh token, sealed by the vault, in a private file of the data directory. To load and to save throw EngineError
 * `credential_store`.
 */
export function createSessionFile(dataDirectory: string, vault: Vault): SessionStore {
  const path = join(dataDirectory, SESSION_FILE);
  return {
    async load() {
      const envelope = await readFile(path, "utf8").catch(unlessMissing);
      return envelope === undefined ? undefined : vault.open(envelope.trim(), CONTEXT);
    },
    async save(refreshToken) {
      await writePrivateFile(path, `${await vault.seal(refreshToken, CONTEXT)}\n`);
    },
    clear: () => rm(path, { force: true }),
  };
}

/** Whether a session is saved, even an unreadable one. */
export async function hasSavedSession(dataDirectory: string): Promise<boolean> {
  const found = await readFile(join(dataDirectory, SESSION_FILE)).catch(unlessMissing);
  return found !== undefined;
}
