import { and, asc, eq } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import { type SettingRow, settings } from "../db/schema.ts";
import type { Setting, SettingFilters } from "./wire.ts";

/** In database order. */
export function listSettings(
  db: Database,
  { key, tag, client }: SettingFilters,
): Promise<SettingRow[]> {
  const conditions = [
    key === undefined ? undefined : eq(settings.key, key),
    tag === undefined ? undefined : eq(settings.tag, tag),
    client === undefined ? undefined : eq(settings.client, client),
  ];
  return db
    .select()
    .from(settings)
    .where(and(...conditions))
    .orderBy(asc(settings.id));
}

// The conflict target spells the index of the schema: NULL and '' are different scopes, and NULL equals NULL.
const UPSERT = `INSERT INTO settings (key, value, tag, client) VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT (
    key,
    tag IS NULL, CASE WHEN tag IS NULL THEN '' ELSE tag END,
    client IS NULL, CASE WHEN client IS NULL THEN '' ELSE client END
  )
  DO UPDATE SET value = excluded.value`;

/** All or none. */
export async function upsertSettings(db: Database, items: readonly Setting[]): Promise<void> {
  const statements = items.map(({ key, value, tag, client }) => ({
    sql: UPSERT,
    args: [key, value, tag, client],
  }));
  await db.$client.batch(statements, "write");
}
