import { stat } from "node:fs/promises";
import type { Client } from "@libsql/client";
import { createDatabase, type Database } from "../../shared/database.ts";
import { StartRefused } from "../../shared/failure.ts";
import { migrate } from "../../shared/migrate.ts";
import { isDamage, systemErrorCode, unlessMissing } from "../../shared/system-error.ts";
import { QUICK_CHECK_BYTES_MAX } from "../limits.ts";
import { migrations } from "./migrations.generated.ts";
import { SnapshotClient } from "./snapshots.ts";

interface OpenDatabase extends AsyncDisposable {
  db: Database;
}

interface OpenOptions {
  /** The last engine stopped uncleanly: the file is checked before it is used. */
  afterUncleanEnd?: boolean;
  /** Called once, when a statement first meets a damaged page. */
  onDamage?: () => void;
}

// FULL: an acknowledged message survives a power cut. Concurrent writes share a commit, so it costs little.
const PRAGMAS = ["journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"];

/**
 * Opens and migrates the engine's database.
 * @throws MigrationRefused if a newer engine wrote it; StartRefused if it is damaged or cannot be opened.
 */
export async function openDatabase(
  path: string,
  { afterUncleanEnd = false, onDamage }: OpenOptions = {},
): Promise<OpenDatabase> {
  let client: SnapshotClient | undefined;
  try {
    const opened = new SnapshotClient({ path, pragmas: PRAGMAS, onDamage });
    client = opened;
    if (afterUncleanEnd) await checkPages(opened, path);
    await migrate(opened, migrations);
    const db = createDatabase(opened);
    return { db, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
  } catch (error) {
    client?.close();
    throw toRefusal(path, error);
  }
}

/**
 * Refuses to start with an empty database in the place of a lost one: the key beside it proves the loss.
 * @throws StartRefused
 */
export async function refuseLostDatabase(path: string, keyFile: string): Promise<void> {
  const size = await sizeOf(path);
  if ((size ?? 0) > 0 || (await sizeOf(keyFile)) === undefined) return;
  throw new StartRefused(
    `The database ${path} is ${size === undefined ? "missing" : "empty"}, although ${keyFile} is there. ` +
      "Restore a backup of the database, or move the key file away to start with an empty one.",
  );
}

/** A huge file is not checked: the time grows with the size. */
async function checkPages(client: Client, path: string): Promise<void> {
  if (((await sizeOf(path)) ?? 0) > QUICK_CHECK_BYTES_MAX) return;
  const { rows } = await client.execute("PRAGMA quick_check(1)");
  if (rows[0]?.quick_check !== "ok") throw damaged(path, rows[0]?.quick_check);
}

function toRefusal(path: string, error: unknown): unknown {
  if (error instanceof StartRefused) return error;
  if (isDamage(error)) return damaged(path, error);
  const isUnopened =
    systemErrorCode(error).startsWith("SQLITE_CANTOPEN") ||
    (error instanceof Error && error.message.startsWith("ConnectionFailed"));
  if (!isUnopened) return error;
  return new StartRefused(`The database ${path} cannot be opened. Check that it is a file.`, {
    cause: error,
  });
}

function damaged(path: string, cause: unknown): StartRefused {
  return new StartRefused(
    `The database ${path} is damaged. Restore a backup of it, or move its directory away to start with an empty one.`,
    { cause },
  );
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(unlessMissing))?.size;
}
