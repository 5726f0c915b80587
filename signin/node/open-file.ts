import { createDatabase, type Database } from "../../shared/database.ts";
import { migrate } from "../../shared/migrate.ts";
import { openEmbeddedClient } from "../../shared/node/embedded-client.ts";
import { migrations } from "../db/migrations.generated.ts";

/** The open database file. */
export interface OpenFile extends AsyncDisposable {
  db: Database;
  /** The schema steps that were applied now. */
  applied: string[];
}

/**
 * The pragmas of each process. FULL: a consumed code or a revoked session stays so after a power cut. Writes that arrive
 * together share a commit.
 */
export const EMBEDDED_PRAGMAS = ["journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"];

/**
 * Opens and migrates the database file; `:memory:` for tests.
 * @throws MigrationRefused if a newer server wrote it.
 */
export async function openFile(path: string): Promise<OpenFile> {
  const client = openEmbeddedClient({ path, pragmas: EMBEDDED_PRAGMAS });
  try {
    const applied = await migrate(client, migrations);
    const db = createDatabase(client);
    return { db, applied, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() };
  } catch (error) {
    client.close();
    throw error;
  }
}
