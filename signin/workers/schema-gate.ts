import type { Database } from "../../shared/database.ts";
import { migrations } from "../db/migrations.generated.ts";
import type { RequestDatabase } from "../deps.ts";
import { failure } from "../errors.ts";

const NEWEST_STEP = "SELECT max(name) AS name FROM schema_migrations";

/**
 * Looks once in an isolate whether the database has this program's schema: a Worker never migrates, the command line
 * does. A newer schema is let through, so that one can migrate before one deploys.
 * @throws SigninError `schema_outdated`
 */
export function createSchemaGate(openDb: () => RequestDatabase): () => Promise<void> {
  let known = false;
  return async () => {
    if (known) return;
    const { db, close } = openDb();
    try {
      const needed = migrations.at(-1)?.name ?? "";
      if ((await newestStep(db)) < needed) throw failure("schema_outdated");
      known = true;
    } finally {
      close();
    }
  };
}

async function newestStep({ $client }: Database): Promise<string> {
  try {
    const { rows } = await $client.execute(NEWEST_STEP);
    return String(rows[0]?.name ?? "");
  } catch (error) {
    if (error instanceof Error && error.message.includes("no such table")) return "";
    throw error;
  }
}
