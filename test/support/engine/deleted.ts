import { setImmediate } from "node:timers/promises";
import type { Database } from "../../../shared/database.ts";

/** Resolves once the rows of everything that was deleted are gone. */
export async function deletedRowsGone(db: Database): Promise<void> {
  const left = "SELECT 1 FROM workspaces WHERE deleted_at IS NOT NULL LIMIT 1";
  while ((await db.$client.execute(left)).rows.length > 0) await setImmediate();
}
