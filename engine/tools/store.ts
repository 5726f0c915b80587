import { asc, eq, sql } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import { type ToolConfigurationRow, toolConfigurations } from "../db/schema.ts";

type NewToolConfiguration = Omit<ToolConfigurationRow, "id">;
/** Columns that are undefined keep what is stored. */
type ToolConfigurationChanges = {
  [Column in Exclude<keyof NewToolConfiguration, "uuid" | "createdAt">]:
    | NewToolConfiguration[Column]
    | undefined;
};

/** Sorted by alias, or name where there is no alias (Engine §4, tools). */
export function listToolConfigurations(db: Database): Promise<ToolConfigurationRow[]> {
  const shownName = sql`coalesce(${toolConfigurations.alias}, ${toolConfigurations.name})`;
  return db.select().from(toolConfigurations).orderBy(shownName, asc(toolConfigurations.id));
}

export async function findToolConfiguration(
  db: Database,
  uuid: string,
): Promise<ToolConfigurationRow | undefined> {
  const [row] = await db.select().from(toolConfigurations).where(eq(toolConfigurations.uuid, uuid));
  return row;
}

export async function insertToolConfiguration(
  db: Database,
  values: NewToolConfiguration,
): Promise<ToolConfigurationRow> {
  return db.insert(toolConfigurations).values(values).returning().get();
}

/** The row as it is now, or undefined where there is none. */
export async function patchToolConfiguration(
  db: Database,
  uuid: string,
  changes: ToolConfigurationChanges,
): Promise<ToolConfigurationRow | undefined> {
  const [row] = await db
    .update(toolConfigurations)
    .set(changes)
    .where(eq(toolConfigurations.uuid, uuid))
    .returning();
  return row;
}

/** Whether there was one. Its sealed auth goes with it. */
export async function deleteToolConfiguration(db: Database, uuid: string): Promise<boolean> {
  const gone = await db
    .delete(toolConfigurations)
    .where(eq(toolConfigurations.uuid, uuid))
    .returning({ id: toolConfigurations.id });
  return gone.length > 0;
}
