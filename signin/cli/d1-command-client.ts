import type { Client, InValue } from "@libsql/core/api";
import { z } from "zod";
import { toHex, utf8 } from "../../shared/bytes.ts";
import { CommandFailed } from "../../shared/cli/output.ts";
import { D1_COMMAND_BYTES_MAX, WRANGLER_OUTPUT_BYTES_MAX } from "../limits.ts";
import { createD1Client } from "../workers/d1-client.ts";
import { replaceParameters } from "../workers/sql-parameters.ts";
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

/** A statement whose values stand in its SQL: a command has no parameters. */
interface CommandStatement extends D1Statement {
  sql: string;
}

/**
 * The `@libsql/client` interface by `wrangler d1 execute`, one command after the other: a command is one request, and D1 runs
 * its statements as one transaction.
 */
export function createD1CommandClient(
  wrangler: Wrangler,
  { name, isRemote, config }: D1Target,
): Client {
  const options = [isRemote ? "--remote" : "--local", ...(config ? ["--config", config] : [])];
  let last: Promise<unknown> = Promise.resolve();

  async function run(statements: readonly string[]): Promise<D1Result[]> {
    const sql = statements.map((text) => text.trim().replace(/;$/, "")).join(";\n");
    if (Buffer.byteLength(sql) > D1_COMMAND_BYTES_MAX) {
      throw new CommandFailed("This is too long for one wrangler command.");
    }
    const args = ["d1", "execute", name, ...options, "--json", "--yes", "--command", sql];
    const { code, out, error } = await wrangler.run(args);
    if (out.length >= WRANGLER_OUTPUT_BYTES_MAX) {
      throw new CommandFailed("This result is too long for wrangler. Request fewer rows.");
    }
    const parsed = Results.safeParse(parseWranglerJson(out));
    if (code !== 0 || !parsed.success) throw new CommandFailed(reasonOfWrangler({ out, error }));
    return parsed.data;
  }

  /** Two of wrangler would open the local database at once. */
  function runNext(statements: readonly string[]): Promise<D1Result[]> {
    const result = last.then(() => run(statements));
    last = result.catch(() => {});
    return result;
  }

  const prepare = (sql: string): CommandStatement => ({
    sql,
    bind: (...values) =>
      prepare(
        replaceParameters(sql, (parameter) =>
          toSqlLiteral("position" in parameter ? values[parameter.position] : undefined),
        ),
      ),
    async raw() {
      const [result] = await runNext([sql]);
      if (!result) throw new CommandFailed("wrangler gave no result.");
      const columns = Object.keys(result.results[0] ?? {});
      return [columns, ...result.results.map((record) => Object.values(record))];
    },
  });
  return createD1Client({
    prepare,
    // They are those of `prepare`.
    batch: (statements) => runNext((statements as CommandStatement[]).map(({ sql }) => sql)),
  });
}

/**
 * A value as SQL. A text of other characters than these becomes hexadecimal digits: neither a shell, wrangler, which splits a
 * command into statements, nor SQLite can find a quote, a comment or a keyword in it.
 * @internal for tests
 */
export function toSqlLiteral(value: InValue | undefined): string {
  if (value === null) return "NULL";
  if (typeof value === "boolean") return value ? "1" : "0";
  // In brackets: a minus before it would make a comment of two.
  // Whole: SQLite reads the last digit of some fractions differently.
  if (typeof value === "number" && Number.isSafeInteger(value))
    return value < 0 ? `(${value})` : `${value}`;
  if (typeof value !== "string")
    throw new TypeError("A command can have only text, numbers, booleans and null.");
  return /^[\w.:@-]*$/.test(value) ? `'${value}'` : `CAST(X'${toHex(utf8(value))}' AS TEXT)`;
}
