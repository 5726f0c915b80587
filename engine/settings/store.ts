import { type Database, readFirst } from "../../shared/database.ts";
import { DEFAULT_MODEL_KEY } from "../client/default-model.ts";
import { AUTO_TITLES_KEY } from "../client/new-thread-title.ts";
import type { ListQuery } from "../db/list.ts";
import { bytesOf, jsonOf, type ListShape } from "../db/list-shape.ts";
import { Setting, type SettingFilters } from "./wire.ts";

// Only the key has an index: pages skip rows of another tag or client one by one.
const MATCHES = "(:tag IS NULL OR tag = :tag) AND (:client IS NULL OR client = :client)";
const ALL: ListShape = {
  from: "settings",
  where: "true",
  order: ["id"],
  direction: "ASC",
  item: `CASE WHEN ${MATCHES} THEN ${jsonOf(Setting)} END`,
  bytes: `CASE WHEN ${MATCHES} THEN ${bytesOf("key", "value", "tag", "client")} ELSE 0 END`,
};
const OF_KEY: ListShape = { ...ALL, where: "key = :key" };

/** `Setting[]`, in database order. SQLite writes the JSON: the driver would cut a text at U+0000. */
export function settingsLike({ key, tag, client }: SettingFilters): ListQuery {
  const args = { tag: tag ?? null, client: client ?? null };
  return key === undefined ? { shape: ALL, args } : { shape: OF_KEY, args: { ...args, key } };
}

// The conflict target repeats the index of the schema: NULL differs from '', and equals NULL.
const UPSERT = `INSERT INTO settings (key, value, tag, client) VALUES (:key, :value, :tag, :client)
  ON CONFLICT (
    key,
    tag IS NULL, CASE WHEN tag IS NULL THEN '' ELSE tag END,
    client IS NULL, CASE WHEN client IS NULL THEN '' ELSE client END
  )
  DO UPDATE SET value = excluded.value`;

/** Settings of the engine itself. Null and "" are the same tag and client to it: what is written last stands in all of these rows. */
const ENGINE_KEYS = [DEFAULT_MODEL_KEY, AUTO_TITLES_KEY];
const IS_ENGINES = "key = :key AND coalesce(tag, '') = '' AND coalesce(client, '') = ''";
const SAME_VALUE = `UPDATE settings SET value = :value WHERE ${IS_ENGINES}`;

/** Stores all settings or none. */
export async function upsertSettings(db: Database, items: readonly Setting[]): Promise<void> {
  const statements = items.flatMap((item) => {
    const upsert = { sql: UPSERT, args: { ...item } };
    if (!ENGINE_KEYS.includes(item.key) || item.tag || item.client) return [upsert];
    return [upsert, { sql: SAME_VALUE, args: { key: item.key, value: item.value } }];
  });
  await db.$client.batch(statements, "write");
}

/** The id of the engine's default model; undefined if the setting is absent or empty. */
export async function findDefaultModelId(db: Database): Promise<string | undefined> {
  const sql = `SELECT value FROM settings WHERE ${IS_ENGINES} LIMIT 1`;
  const [value] = (await readFirst(db, sql, { key: DEFAULT_MODEL_KEY })) ?? [];
  return String(value ?? "") || undefined;
}
