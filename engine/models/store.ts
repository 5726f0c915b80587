import { asc, eq, sql } from "drizzle-orm";
import { type Database, preparedOnce } from "../../shared/database.ts";
import { type ModelConfigurationRow, modelConfigurations } from "../db/schema.ts";

type NewModelConfiguration = Omit<ModelConfigurationRow, "position">;
/** Columns that are undefined keep what is stored. */
type ModelConfigurationChanges = {
  [Column in Exclude<keyof NewModelConfiguration, "id" | "createdAt">]:
    | NewModelConfiguration[Column]
    | undefined;
};

/** All configurations, sorted by id (Engine §4, models). */
export function listModelConfigurations(db: Database): Promise<ModelConfigurationRow[]> {
  return db.select().from(modelConfigurations).orderBy(asc(modelConfigurations.id));
}

const findQuery = preparedOnce((db) =>
  db
    .select()
    .from(modelConfigurations)
    .where(eq(modelConfigurations.id, sql.placeholder("id")))
    .prepare(),
);

export function findModelConfiguration(
  db: Database,
  id: string,
): Promise<ModelConfigurationRow | undefined> {
  return findQuery(db).get({ id });
}

/** The first configuration, by creation, whose model name is `model` (Engine §3, turn ordering 3). */
export async function findModelConfigurationByModel(
  db: Database,
  model: string,
): Promise<ModelConfigurationRow | undefined> {
  const [row] = await db
    .select()
    .from(modelConfigurations)
    .where(eq(modelConfigurations.model, model))
    .orderBy(asc(modelConfigurations.position))
    .limit(1);
  return row;
}

export async function insertModelConfiguration(
  db: Database,
  values: NewModelConfiguration,
): Promise<ModelConfigurationRow> {
  return db.insert(modelConfigurations).values(values).returning().get();
}

/** The row as it is now, or undefined where there is none. */
export async function replaceModelConfiguration(
  db: Database,
  id: string,
  changes: ModelConfigurationChanges,
): Promise<ModelConfigurationRow | undefined> {
  const [row] = await db
    .update(modelConfigurations)
    .set(changes)
    .where(eq(modelConfigurations.id, id))
    .returning();
  return row;
}

/** Whether there was one. */
export async function deleteModelConfiguration(db: Database, id: string): Promise<boolean> {
  const gone = await db
    .delete(modelConfigurations)
    .where(eq(modelConfigurations.id, id))
    .returning({ id: modelConfigurations.id });
  return gone.length > 0;
}
