import type { Client, InArgs, InStatement, InValue } from "@libsql/core/api";
import { z } from "zod";
import { CommandFailed } from "../../shared/cli/output.ts";
import { parseJson } from "../../shared/json.ts";
import { resultSet, toRow } from "../../shared/result-set.ts";
import type { Wrangler } from "./wrangler.ts";

/** A D1 database as wrangler finds it. */
export interface D1Place {
  /** Its name or binding in the configuration of wrangler. */
  name: string;
  isRemote: boolean;
  /** The configuration; that of the current folder by default. */
  config?: string | undefined;
}

const Results = z.array(z.object({ results: z.array(z.record(z.string(), z.unknown())) }));
const Refusal = z.object({ error: z.object({ text: z.string() }) });

/**
 * The part of the `@libsql/client` interface that migrations use, by `wrangler d1 execute`: a command is one request, and D1 runs
 * its statements as one transaction.
 */
export function createD1CommandClient(
  wrangler: Wrangler,
  { name, isRemote, config }: D1Place,
): Pick<Client, "execute" | "batch"> {
  const place = [isRemote ? "--remote" : "--local", ...(config ? ["--config", config] : [])];
  const run = async (statements: readonly string[]) => {
    const sql = statements.map((text) => text.trim().replace(/;$/, "")).join(";\n");
    const args = ["d1", "execute", name, ...place, "--json", "--yes", "--command", sql];
    const { code, out, error } = await wrangler.run(args);
    const parsed = Results.safeParse(parseOutput(out));
    if (code !== 0 || !parsed.success) throw new CommandFailed(reasonOf(out, error));
    return parsed.data.map(({ results }) => {
      const columns = Object.keys(results[0] ?? {});
      const rows = results.map((row) => toRow(Object.values(row), columns));
      return resultSet(
        rows,
        columns,
        columns.map(() => ""),
        0,
        undefined,
      );
    });
  };
  return {
    async execute(statement: InStatement, args?: InArgs) {
      const [result] = await run([inline(statement, args)]);
      if (!result) throw new CommandFailed("wrangler gave no result.");
      return result;
    },
    batch: (statements) =>
      run(statements.map((each) => (Array.isArray(each) ? inline(...each) : inline(each)))),
  };
}

/** A statement with its values as SQL: a command has no parameters. */
function inline(statement: InStatement, given?: InArgs): string {
  const { sql, args = [] } =
    typeof statement === "string" ? { sql: statement, args: given } : statement;
  if (!Array.isArray(args)) throw new TypeError("Commands take values by position.");
  let at = 0;
  return sql.replaceAll(/'[^']*'|\?/g, (text) => (text === "?" ? toLiteral(args[at++]) : text));
}

function toLiteral(value: InValue | undefined): string {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  throw new TypeError("Only texts and numbers can stand in a command.");
}

/** What wrangler prints before its JSON is left out. */
function parseOutput(text: string): unknown {
  return parseJson(text.slice(Math.max(0, text.search(/^[[{]/m))));
}

/** wrangler's own sentence. */
function reasonOf(out: string, error: string): string {
  const refusal = Refusal.safeParse(parseOutput(out));
  const text = refusal.success ? refusal.data.error.text : `${error}\n${out}`;
  const lines = text
    .split("\n")
    .flatMap((line) => line.replace(/^\W*(\[?ERROR\]?)?\s*/, "").trim() || []);
  return `wrangler: ${lines[0] ?? "it failed without a word"}`;
}
