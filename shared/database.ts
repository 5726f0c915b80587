import type { Client, InArgs } from "@libsql/client";
import * as driver from "drizzle-orm/libsql/driver-core";

/** Typed queries over an injected libSQL client: embedded on Node, over HTTP on Workers. */
export type Database = driver.LibSQLDatabase & { $client: Client };

// The driver without its own client. drizzle exports it, but its types omit it.
const { construct } = driver as unknown as {
  construct(client: Client, config: { casing: "snake_case" }): Database;
};

/** Column names are snake_case in SQL, camelCase in TypeScript. */
export function createDatabase(client: Client): Database {
  return construct(client, { casing: "snake_case" });
}

/** The values of the first row of a query; undefined if it has none. An embedded client has a cheaper call for it. */
export async function readFirst(
  { $client }: Database,
  sql: string,
  args: InArgs = {},
): Promise<readonly unknown[] | undefined> {
  const client: Client & Partial<ReadsFirst> = $client;
  if (client.first) return client.first(sql, args);
  const { rows } = await client.execute({ sql, args });
  return rows[0] && Array.from(rows[0]);
}

interface ReadsFirst {
  first(sql: string, args: InArgs): Promise<readonly unknown[] | undefined>;
}
