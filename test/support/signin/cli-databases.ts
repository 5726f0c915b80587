import assert from "node:assert/strict";
import { fromBase64Url } from "../../../shared/bytes.ts";
import { migrate } from "../../../shared/migrate.ts";
import { createSealedBox } from "../../../shared/sealed-box.ts";
import { apiKeyContext } from "../../../signin/connections/api-keys.ts";
import { migrations } from "../../../signin/db/migrations.generated.ts";
import {
  CLI_KEYS,
  type CliDatabase,
  openD1Database,
  openEmbeddedFolder,
  openServerDatabase,
} from "./cli.ts";

/** A time that no test reaches, in seconds. */
export const FAR = 4_000_000_000;

/** Inserts a user. */
export async function insertUser({ db }: CliDatabase, id: string, email: string): Promise<void> {
  await db.$client.execute({
    sql: "INSERT INTO users (id, email, email_norm, display_name, password_hash, created_at, updated_at) VALUES (?, ?, ?, 'Name', 'secret-hash', 1767323045, 1)",
    args: [id, email, email.toLowerCase()],
  });
}

/** Inserts a session. */
export async function insertSession(
  { db }: CliDatabase,
  id: string,
  userId: string,
): Promise<void> {
  await db.$client.execute({
    sql: `INSERT INTO sessions (id, user_id, kind, counter, rotated_at, created_at, last_seen_at, idle_expires_at, expires_at)
          VALUES (?, ?, 'native', 0, 1, 1, 1, ${FAR}, ${FAR})`,
    args: [id, userId],
  });
}

/** A box with these keys; the first one seals. */
export function boxOf(...keys: string[]) {
  return createSealedBox(keys.map((key) => fromBase64Url(key) ?? assert.fail()));
}

/** Inserts API keys, sealed with one key. */
export async function insertKeys(database: CliDatabase, count: number, key = CLI_KEYS.old) {
  const box = await boxOf(key);
  await insertUser(database, "user", "ann@example.test");
  for (let at = 0; at < count; at += 1) {
    const provider = `provider-${String(at).padStart(4, "0")}`;
    const sealed = await box.seal(`sk-canary-${at}`, apiKeyContext("user", provider));
    await database.db.$client.execute({
      sql: "INSERT INTO api_keys (user_id, provider, ciphertext, key_id, hint, connected_at) VALUES ('user', ?, ?, ?, '****', 1)",
      args: [provider, sealed, box.keyId],
    });
  }
}

/** Each kind of database, and how a test opens one. */
export const KINDS = [
  ["the embedded database", openEmbeddedFolder],
  ["a libSQL server", openServerDatabase],
  ["D1", openD1Database],
] as const;

/** Such a database, up to date. Its file is migrated past the command, which would start wrangler for each step. */
export async function openMigrated(open: () => Promise<CliDatabase>): Promise<CliDatabase> {
  const database = await open();
  await migrate(database.db.$client, migrations);
  return database;
}
