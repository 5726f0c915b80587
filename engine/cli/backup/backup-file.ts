import { createWriteStream } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fromBase64Url, sha256, toHex } from "../../../shared/bytes.ts";
import { CommandFailed } from "../../../shared/cli/output.ts";
import { UserFacingError } from "../../../shared/failure.ts";
import { type Migration, migrate, pendingMigrations } from "../../../shared/migrate.ts";
import { type EmbeddedClient, openEmbeddedClient } from "../../../shared/node/embedded-client.ts";
import { makeFolder } from "../../../shared/node/private-directory.ts";
import { writePrivateFile } from "../../../shared/node/private-file.ts";
import { DISK_BYTES_MIN } from "../../checks/limits.ts";
import { migrations } from "../../db/migrations.generated.ts";
import { openRegularFile } from "../input.ts";

/** Holds the data key in a backup that was made with it; a database in use has no such table. */
export const KEY_TABLE = "backup_key";
export const CREATE_KEY_TABLE = `CREATE TABLE ${KEY_TABLE} (key TEXT NOT NULL) STRICT`;

/** Holds the attachments of messages in a backup, each once. */
export const ATTACHMENT_TABLE = "backup_attachments";
export const CREATE_ATTACHMENT_TABLE = `CREATE TABLE ${ATTACHMENT_TABLE} (hash TEXT NOT NULL, bytes BLOB NOT NULL) STRICT`;

const HEADER = "SQLite format 3\0";
const KEY_BYTES = 32;

/** Copies a backup to `part`, an empty private file. @throws CommandFailed if it is none, or the disk is too small */
export async function copyBackup(from: string, part: string, signal: AbortSignal): Promise<void> {
  await using source = await openRegularFile(from);
  const { size } = await source.stat();
  const header = await source.read(Buffer.alloc(HEADER.length), 0, HEADER.length, 0);
  if (header.buffer.toString("latin1") !== HEADER) throw notABackup(from);
  const { bavail, bsize } = await statfs(dirname(part));
  if (bavail * bsize < size + DISK_BYTES_MIN) {
    throw new CommandFailed(`The disk of ${dirname(part)} is too full for a copy of ${from}.`);
  }
  const target = createWriteStream(part, { flags: "r+" });
  await pipeline(source.createReadStream(), target, { signal });
}

/**
 * Makes a copied backup the database of this version: checked page by page, without the key, and migrated. Returns the key. The
 * attachments go into their folder: what no message of the database has is removed by the next start.
 * @throws CommandFailed if it is damaged, holds something else, or is of a newer version
 */
export async function prepareBackup(
  part: string,
  from: string,
  attachments: string,
): Promise<Uint8Array | undefined> {
  try {
    // What is deleted is overwritten: the key must not stay in a free page.
    const pragmas = ["journal_mode=DELETE", "secure_delete=ON", "trusted_schema=OFF"];
    await using client = openEmbeddedClient({ path: part, pragmas });
    const { rows } = await client.execute("PRAGMA quick_check(1)");
    if (rows[0]?.quick_check !== "ok") throw new CommandFailed(`${from} is damaged.`);
    const pending = await pendingMigrations(client, migrations);
    const applied = migrations.filter((migration) => !pending.includes(migration));
    if (applied.length === 0) throw notABackup(from);
    const key = await takeKey(client, from);
    await takeAttachments(client, from, attachments);
    // Compared before anything is written: triggers and views of strangers would run with the statements of a migration.
    if ((await schemaOf(client)) !== (await schemaAfter(applied))) throw notABackup(from);
    await migrate(client, migrations);
    if ((await schemaOf(client)) !== (await schemaAfter(migrations))) throw notABackup(from);
    return key;
  } catch (error) {
    if (error instanceof UserFacingError) throw new CommandFailed(error.message, { cause: error });
    throw new CommandFailed(`${from} is damaged, or not an engine backup.`, { cause: error });
  }
}

/** Whether a backup has a table beside those of the engine. @throws CommandFailed if it is another one than was made */
async function hasTable(
  client: EmbeddedClient,
  { table, sql, from }: { table: string; sql: string; from: string },
): Promise<boolean> {
  const { rows: found } = await client.execute({
    sql: "SELECT type, sql FROM sqlite_schema WHERE tbl_name = :table OR name = :table",
    args: { table },
  });
  if (found.length > 1 || (found[0] && found[0].sql !== sql)) throw notABackup(from);
  return found.length === 1;
}

/** Writes the attachments into their folder and removes their table. A name is what the bytes say: a backup may be a stranger's. */
async function takeAttachments(client: EmbeddedClient, from: string, folder: string) {
  const table = ATTACHMENT_TABLE;
  if (!(await hasTable(client, { table, sql: CREATE_ATTACHMENT_TABLE, from }))) return;
  const { rows } = await client.execute(`SELECT rowid AS id FROM ${table}`);
  if (rows.length > 0) await makeFolder(folder);
  for (const { id } of rows) {
    const sql = `SELECT bytes FROM ${table} WHERE rowid = :id`;
    const [file] = (await client.execute({ sql, args: { id: Number(id) } })).rows;
    const bytes = new Uint8Array(file?.bytes as ArrayBuffer);
    await writePrivateFile(join(folder, toHex(await sha256(bytes))), bytes);
  }
  await client.batch([`DELETE FROM ${table}`, `DROP TABLE ${table}`]);
}

/** Reads the key and removes it with its table. */
async function takeKey(client: EmbeddedClient, from: string): Promise<Uint8Array | undefined> {
  if (!(await hasTable(client, { table: KEY_TABLE, sql: CREATE_KEY_TABLE, from })))
    return undefined;
  const { rows } = await client.execute(`SELECT key FROM ${KEY_TABLE} LIMIT 1`);
  const key = fromBase64Url(String(rows[0]?.key ?? ""));
  await client.batch([`DELETE FROM ${KEY_TABLE}`, `DROP TABLE ${KEY_TABLE}`]);
  if (key?.length !== KEY_BYTES) throw new CommandFailed(`The key in ${from} is damaged.`);
  return key;
}

/**
 * Everything in the schema but the tables and indexes that SQLite makes by itself. Their exact kinds are named: a file may have a
 * trigger with a name that SQLite reserves.
 */
async function schemaOf(client: EmbeddedClient): Promise<string> {
  const { rows } = await client.execute(`SELECT type, name, tbl_name, sql FROM sqlite_schema
    WHERE NOT (type = 'table' AND name IN ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat2', 'sqlite_stat3', 'sqlite_stat4')
        AND substr(sql, 1, 13) = 'CREATE TABLE ')
      AND NOT (type = 'index' AND name LIKE 'sqlite!_autoindex!_%' ESCAPE '!' AND sql IS NULL)
    ORDER BY type, name`);
  return JSON.stringify(rows.map(({ type, name, tbl_name, sql }) => [type, name, tbl_name, sql]));
}

async function schemaAfter(steps: readonly Migration[]): Promise<string> {
  await using client = openEmbeddedClient({ path: ":memory:", pragmas: [] });
  await migrate(client, steps);
  return await schemaOf(client);
}

function notABackup(from: string): CommandFailed {
  return new CommandFailed(`${from} is not an engine backup.`);
}
