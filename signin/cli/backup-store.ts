import type { Database } from "../../shared/database.ts";

/** Writes the database as of now into an empty file. */
export async function copyDatabase(db: Database, path: string): Promise<void> {
  await db.$client.execute({ sql: "VACUUM INTO ?", args: [path] });
}
