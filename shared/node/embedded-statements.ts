import type { InArgs, InStatement } from "@libsql/core/api";
import type Connection from "libsql";
import { BoundedMap } from "../bounded-map.ts";

/** A statement as it was given, in one form. */
export interface Statement {
  sql: string;
  args: InArgs;
}

/** A prepared statement, and the columns of its rows. */
export interface Prepared {
  statement: Connection.Statement;
  reader: boolean;
  columns: string[];
  columnTypes: string[];
}

const STATEMENTS_MAX = 256;
const CHANGES_SCHEMA = /^\s*(create|alter|drop)\b/i;

/** The prepared statements of one connection. The least recently used one is dropped first. */
export class EmbeddedStatements {
  readonly #connection: Connection.Database;
  readonly #kept = new BoundedMap<string, Prepared>(STATEMENTS_MAX);

  constructor(connection: Connection.Database) {
    this.#connection = connection;
  }

  /** Keeps none any longer: the driver holds the file until the last one is collected. */
  drop(): void {
    this.#kept.clear();
  }

  get(sql: string): Prepared {
    const prepared = this.#kept.get(sql) ?? prepare(this.#connection, sql);
    // Cached statements were prepared for the former schema.
    if (CHANGES_SCHEMA.test(sql)) this.#kept.clear();
    else this.#kept.set(sql, prepared);
    return prepared;
  }
}

function prepare(connection: Connection.Database, sql: string): Prepared {
  const statement = connection.prepare(sql);
  const reader = statement.reader;
  const described = reader ? statement.columns() : [];
  if (reader) statement.raw(true);
  return {
    statement,
    reader,
    columns: described.map(({ name }) => name),
    columnTypes: described.map(({ type }) => type ?? ""),
  };
}

// Statements that may or must run outside a transaction. A CTE can be a write, so it is treated as one.
const RUNS_ALONE = /^\s*(select|values|explain|pragma|vacuum|attach|detach)\b/i;

/** Whether a statement needs a transaction. */
export function isWrite(sql: string): boolean {
  return !RUNS_ALONE.test(sql);
}

/** SQL alone, SQL with arguments, or a pair of them. */
export function normalize(statement: InStatement | [string, InArgs?], args?: InArgs): Statement {
  if (typeof statement === "string") return { sql: statement, args: args ?? [] };
  if (Array.isArray(statement)) return { sql: statement[0], args: statement[1] ?? [] };
  return { sql: statement.sql, args: statement.args ?? [] };
}
