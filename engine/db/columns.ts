import { getTableColumns } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { toSnakeName } from "../../shared/client/names.ts";

/** The names of the columns of a table in SQL, without those of some fields: a copy of rows has every column that is added. */
export function columnsOf(table: SQLiteTable, ...without: readonly string[]): string[] {
  return Object.keys(getTableColumns(table))
    .filter((field) => !without.includes(field))
    .map(toSnakeName);
}
