import type { Client } from "@libsql/client";
import { sha256, toHex } from "./bytes.ts";
import { UserFacingError } from "./failure.ts";

type MigratedClient = Pick<Client, "execute" | "batch">;

/** One numbered step of a schema: append-only, applied once, in one transaction. */
export interface Migration {
  /** Such as `0001_init`. Steps apply in the order of their names. */
  name: string;
  /** Statements divided by `--> statement-breakpoint`. */
  sql: string;
}

/** A database that this program must not use. */
export class MigrationRefused extends UserFacingError {
  override name = "MigrationRefused";
}

const BREAKPOINT = "--> statement-breakpoint";
const CREATE_TABLE =
  "CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY, checksum TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT";

/**
 * Brings a database up to date. Returns the names of the steps that were applied now.
 * @throws MigrationRefused if an applied step was changed since, or a newer program wrote the database.
 */
export async function migrate(
  client: MigratedClient,
  migrations: readonly Migration[],
): Promise<string[]> {
  return applyMigrations(client, await pendingMigrations(client, migrations));
}

/** Applies steps that `pendingMigrations` gave. Returns their names. */
export async function applyMigrations(
  client: MigratedClient,
  pending: readonly Migration[],
): Promise<string[]> {
  for (const migration of pending) {
    const statements = migration.sql.split(BREAKPOINT).flatMap((part) => part.trim() || []);
    await client.batch(
      [
        CREATE_TABLE,
        ...statements,
        {
          sql: "INSERT INTO schema_migrations (name, checksum, applied_at) VALUES (?, ?, ?)",
          args: [migration.name, await checksumOf(migration), new Date().toISOString()],
        },
      ],
      "write",
    );
  }
  return pending.map(({ name }) => name);
}

/** The steps that `migrate` would apply. @throws MigrationRefused as there. */
export async function pendingMigrations(
  client: MigratedClient,
  migrations: readonly Migration[],
): Promise<Migration[]> {
  const applied = await appliedChecksums(client);
  const known = new Set(migrations.map(({ name }) => name));
  for (const name of applied.keys()) {
    if (!known.has(name)) {
      throw new MigrationRefused(
        `The database has the schema step ${name}, which this version does not know. Use the newer version that wrote it.`,
      );
    }
  }
  // At once: each digest is a turn of the event loop, and every start waits for all of them.
  const found = await Promise.all(
    migrations.map(async (migration) => {
      const checksum = applied.get(migration.name);
      return checksum === undefined || checksum === (await checksumOf(migration));
    }),
  );
  const changed = migrations.find((_migration, at) => !found[at]);
  if (changed) {
    throw new MigrationRefused(`The schema step ${changed.name} was changed after it was applied.`);
  }
  return migrations.filter(({ name }) => !applied.has(name));
}

async function appliedChecksums(client: MigratedClient): Promise<Map<string, string>> {
  const table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_migrations'";
  if ((await client.execute(table)).rows.length === 0) return new Map();
  const { rows } = await client.execute(
    "SELECT name, checksum FROM schema_migrations ORDER BY name",
  );
  return new Map(rows.map((row) => [String(row.name), String(row.checksum)]));
}

async function checksumOf({ sql }: Migration): Promise<string> {
  return toHex(await sha256(sql.replaceAll("\r\n", "\n")));
}
