import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { toBase64Url } from "../../../shared/bytes.ts";
import { CommandFailed } from "../../../shared/cli/output.ts";
import { type EmbeddedClient, openEmbeddedClient } from "../../../shared/node/embedded-client.ts";
import { makePrivateFile } from "../../../shared/node/private-file.ts";
import { acquireProcessLock } from "../../../shared/node/process-lock.ts";
import { isDamage, unlessMissing } from "../../../shared/system-error.ts";
import type { EngineConfig } from "../../config.ts";
import type { DataDirectory } from "../../runtime/data-directory.ts";
import { readKeyFile } from "../../secrets/key-file.ts";
import { createKeychain } from "../../secrets/keychain.ts";
import {
  ATTACHMENT_TABLE,
  CREATE_ATTACHMENT_TABLE,
  CREATE_KEY_TABLE,
  KEY_TABLE,
} from "./backup-file.ts";

const HASH = /^[0-9a-f]{64}$/;

interface Backup {
  directory: DataDirectory;
  store: EngineConfig["credentialStore"];
  /** The new file. */
  to: string;
  withKey: boolean;
}

/**
 * Copies the database into a new private file, as of one moment, with the attachments of its messages.
 *
 * The engine may run: this second connection only reads, and in WAL mode a reader neither waits for a writer nor stops one. It does
 * not open lock.db, so the engine keeps its lock. Without an engine the lock is held meanwhile, as the engine would.
 * @throws CommandFailed
 */
export async function backUp({ directory, store, to, withKey }: Backup) {
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
    await using copy = openEmbeddedClient({ path: part, pragmas: [] });
    await addAttachments(copy, directory.attachments);
    if (key) await addKey(copy, key);
  });
  return { path, hasKey: key !== undefined };
}

async function copyDatabase(source: string, part: string): Promise<void> {
  await using client = openEmbeddedClient({ path: source, pragmas: [] });
  await client.execute({ sql: "VACUUM INTO ?", args: [part] });
}

/** Adds the files that the messages of the copy have. One that is missing was missing in the engine, too. */
async function addAttachments(client: EmbeddedClient, folder: string): Promise<void> {
  const known = "SELECT 1 FROM sqlite_schema WHERE name = 'attachments'";
  if ((await client.execute(known)).rows.length === 0) return;
  const { rows } = await client.execute("SELECT DISTINCT hash FROM attachments");
  if (rows.length === 0) return;
  await client.execute(CREATE_ATTACHMENT_TABLE);
  for (const { hash } of rows) {
    if (!HASH.test(String(hash))) continue;
    const file = await readFile(join(folder, String(hash))).catch(unlessMissing);
    if (!file) continue;
    const sql = `INSERT INTO ${ATTACHMENT_TABLE} (hash, bytes) VALUES (:hash, :bytes)`;
    const args = { hash: String(hash), bytes: new Uint8Array(file) };
    await client.execute({ sql, args });
  }
}

async function addKey(client: EmbeddedClient, key: Uint8Array): Promise<void> {
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
