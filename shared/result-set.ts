import type { ResultSet, Row, Value } from "@libsql/core/api";

/** A row with values by position and by name, as the `@libsql/client` interface has it. Changes `values`. */
export function toRow(values: unknown[], columns: readonly string[]): Row {
  const row = values as unknown as Row;
  columns.forEach((name, at) => {
    if (name !== "length") row[name] = values[at] as Value;
  });
  return row;
}

/** The result of a statement. */
export function resultSet(
  rows: Row[],
  columns: string[],
  columnTypes: string[],
  rowsAffected: number,
  lastInsertRowid: bigint | undefined,
): ResultSet {
  const toJSON = () => ({ columns, columnTypes, rows, rowsAffected, lastInsertRowid });
  return { rows, columns, columnTypes, rowsAffected, lastInsertRowid, toJSON };
}
