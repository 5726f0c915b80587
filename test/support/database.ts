import type { Client } from "@libsql/client";
import { type Migration, migrate } from "../../shared/migrate.ts";
import {
  type EmbeddedClient,
  type EmbeddedOptions,
  openEmbeddedClient,
} from "../../shared/node/embedded-client.ts";

// SQL that makes what the migrations make, in a quarter of their time: most tests begin with a database.
const scripts = new Map<readonly Migration[], Promise<string>>();

/** Opens an empty database in memory, migrated. */
export async function openMemoryDatabase(
  migrations: readonly Migration[],
  open: (options: EmbeddedOptions) => EmbeddedClient = openEmbeddedClient,
): Promise<EmbeddedClient> {
  const script = scripts.get(migrations) ?? writeScript(migrations);
  scripts.set(migrations, script);
  const client = open({ path: ":memory:", pragmas: [] });
  await client.executeMultiple(await script);
  return client;
}

async function writeScript(migrations: readonly Migration[]): Promise<string> {
  await using client = openEmbeddedClient({ path: ":memory:", pragmas: [] });
  await migrate(client, migrations);
  const tables = await listTexts(
    client,
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow') AND name NOT LIKE 'sqlite_%'",
  );
  const shadows = "SELECT name FROM pragma_table_list WHERE type = 'shadow'";
  const schema = await listTexts(
    client,
    `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND tbl_name NOT IN (${shadows}) ORDER BY rowid`,
  );
  const rows = await Promise.all(tables.map((table) => listInserts(client, table)));
  return ["BEGIN", ...schema, ...rows.flat(), "COMMIT;"].join(";\n");
}

/** What a migration stores, such as the settings of a search. */
async function listInserts(client: Client, table: string): Promise<string[]> {
  const columns = await listTexts(client, `SELECT name FROM pragma_table_info('${table}')`);
  const values = columns.map((name) => `quote("${name}")`).join(" || ',' || ");
  return listTexts(
    client,
    `SELECT 'INSERT OR REPLACE INTO "${table}" VALUES (' || ${values} || ')' FROM "${table}"`,
  );
}

async function listTexts(client: Client, sql: string): Promise<string[]> {
  return (await client.execute(sql)).rows.map((row) => String(row[0]));
}
