import type { Client, InArgs, InStatement, InValue, ResultSet } from "@libsql/core/api";
import { createDatabase } from "../../shared/database.ts";
import { BadConfiguration } from "../../shared/env.ts";
import { resultSet, toRow } from "../../shared/result-set.ts";
import type { RequestDatabase } from "../deps.ts";
import { byName, replaceParameters } from "./sql-parameters.ts";

/**
 * A Cloudflare D1 database behind the port of the stores: one statement, or one batch. An isolate has one for all requests: a
 * binding holds no connection.
 */
export function toD1Database(binding: D1Binding): RequestDatabase {
  return { db: createDatabase(createD1Client(binding)), close: () => {} };
}

/**
 * The `@libsql/client` interface over D1. Changes are not counted: a result is its rows, so statements that decide something
 * have `RETURNING`.
 */
export function createD1Client(binding: D1Binding): Client {
  const prepare = (statement: InStatement, args?: InArgs) => {
    const { sql, values } = toPositions(statement, args);
    return binding.prepare(sql).bind(...values);
  };
  const refuse = (): never => {
    throw new TypeError("D1 has single statements and batches only.");
  };
  return {
    protocol: "d1",
    closed: false,
    async execute(statement: InStatement, args?: InArgs) {
      const [columns, ...rows] = await prepare(statement, args).raw({ columnNames: true });
      return toResult(columns, rows);
    },
    // Always one transaction, whatever the mode.
    async batch(statements) {
      if (statements.length === 0) return [];
      const prepared = statements.map((each) =>
        Array.isArray(each) ? prepare(...each) : prepare(each),
      );
      const results = await binding.batch(prepared);
      return results.map(({ results: records }) =>
        toResult(
          Object.keys(records[0] ?? {}),
          records.map((record) => Object.values(record)),
        ),
      );
    },
    migrate: refuse,
    transaction: refuse,
    executeMultiple: refuse,
    sync: refuse,
    reconnect: () => {},
    close: () => {},
  };
}

function toResult(columns: string[], rows: readonly unknown[][]): ResultSet {
  const types = columns.map(() => "");
  const named = rows.map((values) => toRow(values, columns));
  return resultSet(named, columns, types, 0, undefined);
}

/** A statement with parameters by position: D1 has no others. */
function toPositions(statement: InStatement, given?: InArgs): { sql: string; values: D1Value[] } {
  const { sql, args = [] } =
    typeof statement === "string" ? { sql: statement, args: given } : statement;
  if (Array.isArray(args)) return { sql, values: args.map(toD1Value) };
  const names: string[] = [];
  const values = byName(args);
  const numbered = replaceParameters(sql, (parameter) => {
    if (!("name" in parameter)) return `?${parameter.position + 1}`;
    const { name } = parameter;
    if (!names.includes(name)) names.push(name);
    return `?${names.indexOf(name) + 1}`;
  });
  return { sql: numbered, values: names.map((name) => toD1Value(values.get(name))) };
}

function toD1Value(value: InValue | undefined): D1Value {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  throw new TypeError("Only texts, numbers, booleans and null can be bound to a statement of D1.");
}

/**
 * The D1 database that `DB` is bound to; undefined if there is no such binding.
 * @throws BadConfiguration if it is bound to something else
 */
export function readD1Binding(bound: unknown): D1Binding | undefined {
  if (bound === undefined || typeof bound === "string") return undefined;
  const isD1 =
    typeof bound === "object" && bound !== null && "prepare" in bound && "batch" in bound;
  if (!isD1) throw new BadConfiguration("DB: must be bound to a D1 database, or not at all");
  return bound as D1Binding;
}
