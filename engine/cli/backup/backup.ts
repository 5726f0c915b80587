import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { toBase64Url } from "../../../shared/bytes.ts";
import { CommandFailed } from "../../../shared/cli/output.ts";
import { openEmbeddedClient } from "../../../shared/node/embedded-client.ts";
import { makePrivateFile } from "../../../shared/node/new-private-file.ts";
import { acquireProcessLock } from "../../../shared/node/process-lock.ts";
import { isDamage } from "../../../shared/system-error.ts";
import type { EngineConfig } from "../../config.ts";
import type { DataDirectory } from "../../runtime/data-directory.ts";
import { readKeyFile } from "../../secrets/key-file.ts";
import { createKeychain } from "../../secrets/keychain.ts";
import { CREATE_KEY_TABLE, KEY_TABLE } from "./backup-file.ts";

interface Backup {
  directory: DataDirectory;
  store: EngineConfig["credentialStore"];
  /** The new file. */
  to: string;
  withKey: boolean;
}

/** What a backup holds. */
interface BackupReport {
  path: string;
  hasKey: boolean;
}

/**
 * Copies the database into a new private file, as of one moment.
 *
 * The engine may run: this second connection only reads, and in WAL mode a reader neither waits for a writer nor stops one. It does
 * not open lock.db, so the engine keeps its lock. Without an engine the lock is held meanwhile, as the engine would.
 * @throws CommandFailed
 */
export async function backUp({ directory, store, to, withKey }: Backup): Promise<BackupReport> {
  const { database } = directory;
  if (!existsSync(database)) throw new CommandFailed(`There is no database at ${database} yet.`);
  using lock = acquireProcessLock(directory.lock);
  const source = lock ? database : `${pathToFileURL(database).href}?mode=ro`;
  const key = withKey ? await findDataKey(directory, store) : undefined;
  const path = await makePrivateFile(to, async (part) => {
    try {
      await copyDatabase(source, part);
    } catch (error) {
      if (!isDamage(error)) throw error;
      throw new CommandFailed(`The database ${database} is damaged.`, { cause: error });
    }
    if (key) await addKey(part, key);
  });
  return { path, hasKey: key !== undefined };
}

async function copyDatabase(source: string, part: string): Promise<void> {
  await using client = openEmbeddedClient({ path: source, pragmas: [] });
  await client.execute({ sql: "VACUUM INTO ?", args: [part] });
}

async function addKey(part: string, key: Uint8Array): Promise<void> {
  await using client = openEmbeddedClient({ path: part, pragmas: [] });
  await client.batch([
    CREATE_KEY_TABLE,
    { sql: `INSERT INTO ${KEY_TABLE} (key) VALUES (:key)`, args: { key: toBase64Url(key) } },
  ]);
}

/** The key of the stored credentials; undefined if nothing was sealed yet. None is created. @throws CommandFailed */
export async function findDataKey(
  { keyFile, path }: DataDirectory,
  store: EngineConfig["credentialStore"],
): Promise<Uint8Array | undefined> {
  try {
    const found = store === "keychain" ? undefined : await readKeyFile(keyFile);
    if (found || store === "file") return found;
    return await createKeychain(path).read();
  } catch (error) {
    if (store === "auto") return undefined;
    throw new CommandFailed("The key of the stored credentials cannot be read.", { cause: error });
  }
}
