import type { Database } from "../../shared/database.ts";
import type { Setting, SettingFilters } from "./wire.ts";

// SQLite makes the JSON: values are not normalised, and the driver would cut a text at U+0000.
const LIST = `SELECT json_group_array(
    json_object('key', key, 'value', value, 'tag', tag, 'client', client) ORDER BY id
  ) AS list
  FROM settings
  WHERE (?1 IS NULL OR key = ?1) AND (?2 IS NULL OR tag = ?2) AND (?3 IS NULL OR client = ?3)`;

/** `Setting[]` as JSON text, in database order. */
export async function listSettingsJson(
  db: Database,
  { key, tag, client }: SettingFilters,
): Promise<string> {
  const args = [key ?? null, tag ?? null, client ?? null];
  const { rows } = await db.$client.execute({ sql: LIST, args });
  return String(rows[0]?.list);
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
