import { asc, desc, eq, or, sql } from "drizzle-orm";
import { type Database, readFirst } from "../../shared/database.ts";
import type { ListQuery } from "../db/list.ts";
import { bytesOf, jsonOf, type ListShape } from "../db/list-shape.ts";
import { type ModelConfigurationRow, modelConfigurations } from "../db/schema.ts";
import { failure } from "../errors.ts";
import { Model, ModelConfiguration, type ModelParameters } from "./wire.ts";

/** Headers and parameters are written by their own requests. */
type NewModelConfiguration = Omit<
  typeof modelConfigurations.$inferInsert,
  "position" | "sealedHeaders" | keyof ModelParameters
>;

const ALL: ListShape = {
  from: "model_configurations",
  where: "1",
  order: ["id"],
  direction: "ASC",
  item: jsonOf(ModelConfiguration, {
    hasApiKey: "json(iif(sealed_api_key IS NULL, 'false', 'true'))",
  }),
  bytes: bytesOf("provider", "model", "alias", "base_url", "region"),
};

/** `ModelConfiguration[]`, sorted by id (Engine §4, models). */
export const allModelConfigurations: ListQuery = { shape: ALL, args: {} };

// The white space of `trim()`.
const WHITE_SPACE =
  "char(9, 10, 11, 12, 13, 32, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288, 65279)";

const CATALOG_ITEM = jsonOf(Model, {
  // The alias, if there is one.
  name: `iif(trim(coalesce(alias, ''), ${WHITE_SPACE}) = '', model, alias)`,
  description: "NULL",
});

/** `Model[]` of the configured models, in order of creation. */
export const configuredModels: ListQuery = {
  shape: { ...ALL, order: ["position"], item: CATALOG_ITEM },
  args: {},
};

export function findModelConfiguration(
  db: Database,
  id: string,
): Promise<ModelConfigurationRow | undefined> {
  return db.select().from(modelConfigurations).where(eq(modelConfigurations.id, id)).get();
}

/** @throws EngineError `absent` */
export async function getModelConfiguration(
  db: Database,
  id: string,
): Promise<ModelConfigurationRow> {
  const row = await findModelConfiguration(db, id);
  if (!row) throw failure("absent");
  return row;
}

/** Whether any model is configured. */
export async function hasModelConfiguration(db: Database): Promise<boolean> {
  return (await readFirst(db, "SELECT 1 FROM model_configurations LIMIT 1", {})) !== undefined;
}

/**
 * The configuration that has a name as its id, else as its alias where that counts, else as its model name; the first by
 * creation (Engine §3, turn ordering 3).
 */
export function findModelConfigurationByName(
  db: Database,
  name: string,
  { byAlias }: { byAlias: boolean },
): Promise<ModelConfigurationRow | undefined> {
  const { id, alias, model, position } = modelConfigurations;
  const named = (byAlias ? [id, alias, model] : [id, model]).map((it) => sql`${it} IS ${name}`);
  return db
    .select()
    .from(modelConfigurations)
    .where(or(...named))
    .orderBy(...named.map(desc), asc(position))
    .limit(1)
    .get();
}

/** What names and dates a configuration, in order of creation. */
export function listConfigurationHeads(
  db: Database,
): Promise<Pick<ModelConfigurationRow, "id" | "provider" | "createdAt">[]> {
  const { id, provider, createdAt, position } = modelConfigurations;
  return db.select({ id, provider, createdAt }).from(modelConfigurations).orderBy(asc(position));
}

export async function insertModelConfiguration(
  db: Database,
  values: NewModelConfiguration,
): Promise<ModelConfigurationRow> {
  return db.insert(modelConfigurations).values(values).returning().get();
}

/** The updated row, or undefined if it does not exist. An undefined column keeps its stored value. */
export function patchModelConfiguration(
  db: Database,
  id: string,
  changes: Partial<NewModelConfiguration>,
): Promise<ModelConfigurationRow | undefined> {
  const query = db.update(modelConfigurations).set(changes).where(eq(modelConfigurations.id, id));
  return query.returning().get();
}

/** Replaces headers or parameters; returns whether the configuration exists. */
export async function replaceModelOptions(
  db: Database,
  id: string,
  options: Pick<ModelConfigurationRow, "sealedHeaders"> | ModelParameters,
): Promise<boolean> {
  const query = db.update(modelConfigurations).set(options).where(eq(modelConfigurations.id, id));
  return (await query).rowsAffected > 0;
}

/** Returns whether the configuration existed. */
export async function deleteModelConfiguration(db: Database, id: string): Promise<boolean> {
  const done = await db.delete(modelConfigurations).where(eq(modelConfigurations.id, id));
  return done.rowsAffected > 0;
}
