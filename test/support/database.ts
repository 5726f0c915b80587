import { type Migration, migrate } from "../../shared/migrate.ts";
import {
  type EmbeddedClient,
  type EmbeddedOptions,
  openEmbeddedClient,
} from "../../shared/node/embedded-client.ts";

const IN_MEMORY: EmbeddedOptions = { path: ":memory:", pragmas: [] };
const PAGE_BYTES = 4096;
// The rest of a page of a long value has the number of the next one.
const LONG_VALUE_BYTES = PAGE_BYTES - 4;

// The pages of what the migrations make: a copy takes a tenth of their time, and most tests begin with a database.
const templates = new Map<readonly Migration[], Promise<Buffer>>();

/** Opens an empty database in memory, migrated. */
export async function openMemoryDatabase(
  migrations: readonly Migration[],
  open: (options: EmbeddedOptions) => EmbeddedClient = openEmbeddedClient,
): Promise<EmbeddedClient> {
  const template = templates.get(migrations) ?? readPages(migrations);
  templates.set(migrations, template);
  const pages = await template;
  const client = open(IN_MEMORY);
  // Only pages that are there can be replaced: the placeholder has as many.
  const bytes = (pages.length / PAGE_BYTES - 2) * LONG_VALUE_BYTES;
  await client.batch([
    "CREATE TABLE placeholder (value)",
    ["INSERT INTO placeholder VALUES (zeroblob(?))", [bytes]],
    [
      `UPDATE sqlite_dbpage SET data = substr(?, (pgno - 1) * ${PAGE_BYTES} + 1, ${PAGE_BYTES})`,
      [pages],
    ],
    // SQLite keeps what it read of a page, but for a rollback.
    "SAVEPOINT pages",
    `UPDATE sqlite_dbpage SET data = zeroblob(${PAGE_BYTES}) WHERE pgno <= 2`,
    "ROLLBACK TO pages",
    "RELEASE pages",
  ]);
  return client;
}

async function readPages(migrations: readonly Migration[]): Promise<Buffer> {
  await using client = openEmbeddedClient(IN_MEMORY);
  await migrate(client, migrations);
  const { rows } = await client.execute("SELECT data FROM sqlite_dbpage ORDER BY pgno");
  const pages = Buffer.concat(rows.map(({ data }) => Buffer.from(data as ArrayBuffer)));
  // The version of the schema is that of a database with a placeholder: nothing reads the schema between the pages.
  pages.writeUInt32BE(1, 40);
  return pages;
}
