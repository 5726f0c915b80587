import { createDatabase, type Database } from "../../shared/database.ts";
import { migrate } from "../../shared/migrate.ts";
import { openEmbeddedClient } from "../../shared/node/embedded-client.ts";
import { migrations } from "./migrations.generated.ts";

/** An open engine.db. */
export interface OpenDatabase extends AsyncDisposable {
  db: Database;
}

// FULL: an acknowledged message survives a power cut. The commit is shared by what arrives together, so it costs little.
const PRAGMAS = ["journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"];

/**
 * Opens and migrates the engine's database; `:memory:` for tests.
 * @throws MigrationRefused where a newer engine wrote it.
 */
export async function openDatabase(path: string): Promise<OpenDatabase> {
  const client = openEmbeddedClient({ path, pragmas: PRAGMAS });
  try {
    await migrate(client, migrations);
  } catch (error) {
    client.close();
    throw error;
  }
  return { db: createDatabase(client), [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() };
}
