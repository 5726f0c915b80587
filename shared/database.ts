import type { Client, InArgs, ResultSet } from "@libsql/client";
import * as driver from "drizzle-orm/libsql/driver-core";

/** Typed queries over an injected libSQL client: embedded on Node, over HTTP on Workers. */
export type Database = driver.LibSQLDatabase & { $client: Client };

/** A drizzle query with its SQL: any builder before it is awaited. */
export interface Query {
  toSQL(): { sql: string; params: unknown[] };
}

// The driver without a client of its own. drizzle exports it, and its types omit it.
const { construct } = driver as unknown as {
  construct(client: Client, config: { casing: "snake_case" }): Database;
};

/** Column names are snake_case in SQL, camelCase in TypeScript. */
export function createDatabase(client: Client): Database {
  return construct(client, { casing: "snake_case" });
}

/**
 * Runs queries as one write transaction: all or none. Returns raw rows by column name. drizzle's own `batch` would begin a
 * DEFERRED transaction, which can fail half-way with BUSY.
 */
export function writeBatch(db: Database, queries: readonly Query[]): Promise<ResultSet[]> {
  const statements = queries.map((query) => {
    const { sql, params } = query.toSQL();
    return { sql, args: params as InArgs };
  });
  return db.$client.batch(statements, "write");
}

/** The values of the first row of a query; undefined if it has none. */
export async function readFirst(
  { $client }: Database,
  sql: string,
  args: InArgs = {},
): Promise<readonly unknown[] | undefined> {
  const { rows } = await $client.execute({ sql, args });
  return rows[0] && Array.from(rows[0]);
}
