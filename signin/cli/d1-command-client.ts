import type { Client, InArgs, InStatement, InValue } from "@libsql/core/api";
import { z } from "zod";
import { CommandFailed } from "../../shared/cli/output.ts";
import { resultOfRecords } from "../../shared/result-set.ts";
import { parseWranglerJson, reasonOfWrangler, type Wrangler } from "./wrangler.ts";

/** A D1 database as wrangler finds it. */
export interface D1Place {
  /** Its name or binding in the configuration of wrangler. */
  name: string;
  isRemote: boolean;
  /** The configuration; that of the current folder by default. */
  config?: string | undefined;
}

const Results = z.array(z.object({ results: z.array(z.record(z.string(), z.unknown())) }));

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
    const parsed = Results.safeParse(parseWranglerJson(out));
    if (code !== 0 || !parsed.success) throw new CommandFailed(reasonOfWrangler({ out, error }));
    return parsed.data.map(({ results }) => resultOfRecords(results));
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
