import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writePrivateFile } from "../../shared/node/private-file.ts";
import { systemErrorCode } from "../../shared/system-error.ts";
import type { Vault } from "../secrets/vault.ts";

/** Stores the session of the account between two runs. */
export interface SavedSession {
  /** The refresh token, or undefined if none is saved. @throws EngineError `credential_store` */
  load(): Promise<string | undefined>;
  /** Resolves once the token is durable. @throws EngineError `credential_store` */
  save(refreshToken: string): Promise<void>;
  clear(): Promise<void>;
}

/** The file of the session in the data directory. */
export const SESSION_FILE = "account.sealed";
const CONTEXT = "account|refresh_token";

/** The refresh token, sealed by the vault, in a private file of the data directory. */
export function createSessionFile(dataDirectory: string, vault: Vault): SavedSession {
  const path = join(dataDirectory, SESSION_FILE);
  return {
    async load() {
      const envelope = await readOrUndefined(path);
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
  return (await readOrUndefined(join(dataDirectory, SESSION_FILE))) !== undefined;
}

async function readOrUndefined(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
