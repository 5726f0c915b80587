import type { Database } from "../../shared/database.ts";
import { MigrationRefused, pendingMigrations } from "../../shared/migrate.ts";
import { migrations } from "../db/migrations.generated.ts";
import { failure } from "../errors.ts";

/** @throws SigninError `schema_outdated`, `database_unavailable` */
export async function requireCurrentSchema(db: Database): Promise<void> {
  const pending = await pendingMigrations(db.$client, migrations).catch((error: unknown) => {
    if (error instanceof MigrationRefused) throw failure("schema_outdated", error);
    throw failure("database_unavailable", error);
  });
  if (pending.length > 0) {
    throw failure("schema_outdated", `Not applied: ${pending.map(({ name }) => name).join(", ")}`);
  }
}
