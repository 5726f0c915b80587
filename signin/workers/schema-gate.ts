import type { Database } from "../../shared/database.ts";
import { migrations } from "../db/migrations.generated.ts";
import type { RequestDatabase } from "../deps.ts";
import { failure } from "../errors.ts";

const NEWEST_STEP = "SELECT max(name) AS name FROM schema_migrations";

/**
 * Checks once per isolate that the database has this program's schema: the command line migrates, a Worker never does. A
 * newer schema is accepted, so that an operator can migrate before a deployment.
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
