import type { Client, InArgs, InStatement, InValue } from "@libsql/core/api";
import { z } from "zod";
import { toHex, utf8 } from "../../shared/bytes.ts";
import { CommandFailed } from "../../shared/cli/output.ts";
import { resultOfRecords } from "../../shared/result-set.ts";
import { D1_COMMAND_BYTES_MAX, WRANGLER_OUTPUT_BYTES_MAX } from "../limits.ts";
import { byName, replaceParameters } from "../workers/sql-parameters.ts";
import { createStatementClient } from "../workers/statement-client.ts";
import { parseWranglerJson, reasonOfWrangler, type Wrangler } from "./wrangler.ts";

/** A D1 database as wrangler finds it. */
export interface D1Target {
  /** Its name or binding in the configuration of wrangler. */
  name: string;
  isRemote: boolean;
  /** The configuration; that of the current folder by default. */
  config?: string | undefined;
}

const Results = z.array(z.object({ results: z.array(z.record(z.string(), z.unknown())) }));

/**
 * The `@libsql/client` interface by `wrangler d1 execute`, one command after the other: a command is one request, and D1 runs
 * its statements as one transaction. As in workers/d1-client.ts, a result is its rows.
 */
export function createD1CommandClient(
  wrangler: Wrangler,
  { name, isRemote, config }: D1Target,
): Client {
  const options = [isRemote ? "--remote" : "--local", ...(config ? ["--config", config] : [])];
  let last: Promise<unknown> = Promise.resolve();

  async function run(statements: readonly string[]) {
    const sql = statements.map((text) => text.trim().replace(/;$/, "")).join(";\n");
    if (Buffer.byteLength(sql) > D1_COMMAND_BYTES_MAX) {
      throw new CommandFailed("This is too much for one command of wrangler.");
    }
    const args = ["d1", "execute", name, ...options, "--json", "--yes", "--command", sql];
    const { code, out, error } = await wrangler.run(args);
    if (out.length >= WRANGLER_OUTPUT_BYTES_MAX) {
      throw new CommandFailed("This is too much for one answer of wrangler: ask for fewer rows.");
    }
    const parsed = Results.safeParse(parseWranglerJson(out));
    if (code !== 0 || !parsed.success) throw new CommandFailed(reasonOfWrangler({ out, error }));
    return parsed.data.map(({ results }) => resultOfRecords(results));
  }

  /** Two of wrangler would open the local database at once. */
  function runNext(statements: readonly string[]) {
    const result = last.then(() => run(statements));
    last = result.catch(() => {});
    return result;
  }

  return createStatementClient({
    prepare: inline,
    async execute(statement) {
      const [result] = await runNext([statement]);
      if (!result) throw new CommandFailed("wrangler gave no result.");
      return result;
    },
    batch: runNext,
    refusal: "A command of wrangler has single statements and batches only.",
  });
}

/** A statement with its values as SQL: a command has no parameters. */
function inline(statement: InStatement, given?: InArgs): string {
  const { sql, args = [] } =
    typeof statement === "string" ? { sql: statement, args: given } : statement;
  const named = Array.isArray(args) ? undefined : byName(args);
  return replaceParameters(sql, (parameter) => {
    if ("name" in parameter) return toSqlLiteral(named?.get(parameter.name));
    return toSqlLiteral(Array.isArray(args) ? args[parameter.position] : undefined);
  });
}

/**
 * A value as SQL. A text of other characters than these becomes hexadecimal digits: neither a shell, wrangler, which splits a
 * command into statements, nor SQLite can find a quote, a comment or a keyword in it.
 */
export function toSqlLiteral(value: InValue | undefined): string {
  if (value === null) return "NULL";
  if (typeof value === "boolean") return value ? "1" : "0";
  // In brackets: a minus before it would make a comment of two.
  // Whole: SQLite reads the last digit of some fractions differently.
  if (typeof value === "number" && Number.isSafeInteger(value))
    return value < 0 ? `(${value})` : `${value}`;
  if (typeof value !== "string")
    throw new TypeError("Only texts, numbers, booleans and null can stand in a command.");
  return /^[\w.:@-]*$/.test(value) ? `'${value}'` : `CAST(X'${toHex(utf8(value))}' AS TEXT)`;
}
