import { existsSync } from "node:fs";
import { link, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { CommandFailed } from "../../../shared/cli/output.ts";
import { equalsConstantTime } from "../../../shared/constant-time.ts";
import { openEmbeddedClient } from "../../../shared/node/embedded-client.ts";
import { acquireProcessLock } from "../../../shared/node/process-lock.ts";
import { randomToken } from "../../../shared/random.ts";
import { SESSION_FILE } from "../../account/session-file.ts";
import type { EngineConfig } from "../../config.ts";
import { createDataDirectory, type DataDirectory } from "../../runtime/data-directory.ts";
import { writeKeyFile } from "../../secrets/key-file.ts";
import { createKeychain } from "../../secrets/keychain.ts";
import { findDataKey } from "./backup.ts";
import { copyBackup, prepareBackup } from "./backup-file.ts";

interface Restore {
  config: Pick<EngineConfig, "dataDirectory" | "credentialStore">;
  /** The backup. */
  from: string;
  /** Names what is kept, such as `2026-11-22T08-53-00Z`. */
  stamp: string;
  signal: AbortSignal;
}

const PRIVATE = 0o600;
const NAME_BYTES = 6;

/**
 * Puts a backup in the place of the database. All that can fail comes before the one rename that does it, so that a restore that
 * fails or is ended leaves the old database. The old one stays beside the new one.
 * @returns the database that was there before (`kept`), if any, and whether the backup had the key of its credentials
 * @throws CommandFailed if an engine runs, or the backup cannot be used
 */
export async function restore({ config, from, stamp, signal }: Restore) {
  const directory = await createDataDirectory(config.dataDirectory);
  using lock = acquireProcessLock(directory.lock);
  if (!lock)
    throw new CommandFailed("An engine runs on this data directory. Stop it first: `stop`");
  const { database } = directory;
  const part = `${database}.${randomToken(NAME_BYTES)}.part`;
  try {
    await (await open(part, "wx", PRIVATE)).close();
    await copyBackup(from, part, signal);
    const key = await prepareBackup(part, from, directory.attachments);
    await syncFile(part);
    signal.throwIfAborted();
    const kept = await keepOld(database, `${database}.before-${stamp}`);
    await rename(part, database);
    if (key) await replaceKey(directory, config.credentialStore, { key, stamp });
    return { database, kept, hadKey: key !== undefined };
  } finally {
    await rm(part, { force: true });
  }
}

/** A second name for the old database, with all of its writes. Undefined if there is none. */
async function keepOld(database: string, kept: string): Promise<string | undefined> {
  const log = `${database}-wal`;
  if (!existsSync(database)) {
    await rm(log, { force: true });
    return undefined;
  }
  await foldLog(database);
  await link(database, kept);
  // Only if it could not be folded: the log belongs to the old database, and would damage the new one.
  if (existsSync(log)) await link(log, `${kept}-wal`);
  await rm(log, { force: true });
  await rm(`${database}-shm`, { force: true });
  return kept;
}

/** Writes the log into the database, as a clean stop does. A damaged database keeps its log. */
async function foldLog(database: string): Promise<void> {
  try {
    await using client = openEmbeddedClient({ path: database, pragmas: [] });
    await client.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // It is damaged, which may be the reason for the restore.
  }
}

/** Stores the key of the backup. Another key stays beside it, with the account session that it sealed. */
async function replaceKey(
  directory: DataDirectory,
  store: EngineConfig["credentialStore"],
  { key, stamp }: { key: Uint8Array; stamp: string },
): Promise<void> {
  const current = await findDataKey(directory, store).catch(() => undefined);
  if (current && equalsConstantTime(current, key)) return;
  if (store === "keychain") return createKeychain(directory.path).write(key);
  for (const path of [directory.keyFile, join(directory.path, SESSION_FILE)]) {
    if (existsSync(path)) await rename(path, `${path}.before-${stamp}`);
  }
  await writeKeyFile(directory.keyFile, key);
}

async function syncFile(path: string): Promise<void> {
  await using file = await open(path, "r+");
  await file.sync();
}
