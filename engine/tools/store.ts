import { eq, sql } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import type { ListQuery } from "../db/list.ts";
import { bytesOf, jsonOf, type ListShape } from "../db/list-shape.ts";
import { type ToolConfigurationRow, toolConfigurations } from "../db/schema.ts";
import { ToolConfiguration } from "./wire.ts";

type NewToolConfiguration = Omit<ToolConfigurationRow, "id">;
/** An undefined column keeps its stored value. */
type ToolConfigurationChanges = {
  [Column in Exclude<keyof NewToolConfiguration, "uuid" | "createdAt">]:
    | NewToolConfiguration[Column]
    | undefined;
};

const ALL: ListShape = {
  from: "tool_configurations",
  where: "1",
  // The expression of the index.
  order: ['CASE WHEN "alias" IS NULL THEN "name" ELSE "alias" END', "id"],
  direction: "ASC",
  item: jsonOf(ToolConfiguration, {
    hasAuthConfig: "json(iif(sealed_auth_config IS NULL, 'false', 'true'))",
  }),
  bytes: bytesOf("name", "alias", "description", "script_path", "endpoint_url"),
};

/** `ToolConfiguration[]`, sorted by alias, or name if there is no alias (Engine §4, tools). */
export const allToolConfigurations: ListQuery = { shape: ALL, args: {} };

export function findToolConfiguration(
  db: Database,
  uuid: string,
): Promise<ToolConfigurationRow | undefined> {
  return db.select().from(toolConfigurations).where(eq(toolConfigurations.uuid, uuid)).get();
}

/** The MCP servers, in the order of `allToolConfigurations`. */
export function listMcpConfigurations(db: Database): Promise<ToolConfigurationRow[]> {
  return db
    .select()
    .from(toolConfigurations)
    .where(eq(toolConfigurations.toolType, "mcp"))
    .orderBy(
      sql`CASE WHEN ${toolConfigurations.alias} IS NULL THEN ${toolConfigurations.name} ELSE ${toolConfigurations.alias} END`,
      toolConfigurations.id,
    );
}

export async function insertToolConfiguration(
  db: Database,
  values: NewToolConfiguration,
): Promise<ToolConfigurationRow> {
  return db.insert(toolConfigurations).values(values).returning().get();
}

/** The updated row, or undefined if it does not exist. */
export function patchToolConfiguration(
  db: Database,
  uuid: string,
  changes: ToolConfigurationChanges,
): Promise<ToolConfigurationRow | undefined> {
  const query = db.update(toolConfigurations).set(changes).where(eq(toolConfigurations.uuid, uuid));
  return query.returning().get();
}

/** Deletes a configuration with its sealed auth. Returns whether it existed. */
export async function deleteToolConfiguration(db: Database, uuid: string): Promise<boolean> {
  const done = await db.delete(toolConfigurations).where(eq(toolConfigurations.uuid, uuid));
  return done.rowsAffected > 0;
}
