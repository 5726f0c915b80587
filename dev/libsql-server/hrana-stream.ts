import Connection from "libsql";
import { withoutTrailing } from "../../shared/without-trailing.ts";
import {
  type HranaAnswer,
  type HranaBatch,
  type HranaCondition,
  HranaError,
  type HranaFault,
  type HranaRequest,
  type HranaResult,
  type HranaStatement,
  type HranaValue,
  toHranaFault,
} from "./hrana-wire.ts";

// What a libSQL server keeps for one stream: at most 50 texts of 5 kB each.
const STORED_TEXTS_MAX = 50;
const STORED_TEXT_CHARS_MAX = 5000;
// Only another process can hold the file: streams of one server take turns (hrana-streams.ts).
const FOREIGN_LOCK_WAIT_MS = 2000;

/** One Hrana stream: a native connection of its own, and the SQL texts that its client stored. */
export class HranaStream implements Disposable {
  readonly #connection: Connection.Database;
  readonly #texts = new Map<number, string>();
  closed = false;

  constructor(path: string, pragmas: readonly string[]) {
    this.#connection = new Connection(path, { timeout: FOREIGN_LOCK_WAIT_MS });
    for (const pragma of ["foreign_keys=ON", ...pragmas]) {
      this.#connection.prepare(`PRAGMA ${pragma}`).all();
    }
  }

  get inTransaction(): boolean {
    return !this.closed && this.#connection.inTransaction;
  }

  /** Runs one request. A failure is a response, and later requests of the pipeline still run. */
  answer(request: HranaRequest): HranaAnswer {
    try {
      return { type: "ok", response: { type: request.type, ...this.#run(request) } };
    } catch (error) {
      return { type: "error", error: toHranaFault(error) };
    }
  }

  /** Rolls back an open transaction. */
  [Symbol.dispose](): void {
    if (this.closed) return;
    if (this.#connection.inTransaction) this.#connection.exec("ROLLBACK");
    this.closed = true;
    this.#connection.close();
  }

  #run(request: HranaRequest): Record<string, unknown> {
    if (this.closed) throw new HranaError("STREAM_CLOSED", "The stream is closed");
    switch (request.type) {
      case "close":
        this[Symbol.dispose]();
        return {};
      case "execute":
        return { result: this.#execute(request.stmt) };
      case "batch":
        return { result: this.#batch(request.batch) };
      case "sequence":
        this.#connection.exec(this.#textOf(request));
        return {};
      case "store_sql":
        this.#store(request.sql_id, request.sql);
        return {};
      case "close_sql":
        this.#texts.delete(request.sql_id);
        return {};
      case "get_autocommit":
        return { is_autocommit: !this.inTransaction };
    }
  }

  #execute(statement: HranaStatement): HranaResult {
    const sql = this.#textOf(statement);
    assertSingleStatement(sql);
    const prepared = this.#connection.prepare(sql);
    const changesBefore = this.#number("total_changes()");
    const bound = bind(statement);
    const cols = prepared.reader
      ? prepared.columns().map(({ name, type }) => ({ name, decltype: type }))
      : [];
    const rows: unknown[][] = [];
    if (prepared.reader) {
      prepared.raw(true).safeIntegers(true);
      rows.push(...(prepared.all(...bound) as unknown[][]));
    } else {
      prepared.run(...bound);
    }
    return {
      cols,
      rows: statement.want_rows === false ? [] : rows.map((row) => row.map(toHranaValue)),
      affected_row_count: Number(this.#number("total_changes()") - changesBefore),
      last_insert_rowid: String(this.#number("last_insert_rowid()")),
    };
  }

  #batch({ steps }: HranaBatch) {
    const results: (HranaResult | null)[] = [];
    const faults: (HranaFault | null)[] = [];
    for (const { condition, stmt } of steps) {
      let result: HranaResult | null = null;
      let fault: HranaFault | null = null;
      if (!condition || this.#holds(condition, results, faults)) {
        try {
          result = this.#execute(stmt);
        } catch (error) {
          fault = toHranaFault(error);
        }
      }
      results.push(result);
      faults.push(fault);
    }
    return { step_results: results, step_errors: faults };
  }

  #holds(
    condition: HranaCondition,
    results: readonly unknown[],
    faults: readonly unknown[],
  ): boolean {
    switch (condition.type) {
      case "ok":
        return (results[condition.step] ?? null) !== null;
      case "error":
        return (faults[condition.step] ?? null) !== null;
      case "not":
        return !this.#holds(condition.cond, results, faults);
      case "and":
        return condition.conds.every((each) => this.#holds(each, results, faults));
      case "or":
        return condition.conds.some((each) => this.#holds(each, results, faults));
      case "is_autocommit":
        return !this.inTransaction;
    }
  }

  #store(id: number, sql: string): void {
    if (sql.length > STORED_TEXT_CHARS_MAX) {
      throw new HranaError("SQL_STORE_TOO_LARGE", "The SQL text is too long to be stored");
    }
    if (this.#texts.size >= STORED_TEXTS_MAX) {
      throw new HranaError("SQL_STORE_TOO_MANY", "Too many SQL texts are stored");
    }
    this.#texts.set(id, sql);
  }

  #textOf({ sql, sql_id: id }: { sql?: string | null; sql_id?: number | null }): string {
    const text = sql ?? (typeof id === "number" ? this.#texts.get(id) : undefined);
    if (text === undefined) throw new HranaError("SQL_INPUT_ERROR", "No SQL text was given");
    return text;
  }

  #number(expression: string): bigint {
    const prepared = this.#connection.prepare(`SELECT ${expression}`).raw(true).safeIntegers(true);
    const [row] = prepared.all([]) as [[bigint]];
    return row[0];
  }
}

/** SQLite would run the first statement and ignore the others. A libSQL server refuses such a text, as this does. */
function assertSingleStatement(sql: string): void {
  if (/^\s*create\s+(temp\s+|temporary\s+)?trigger\b/i.test(sql)) return;
  const bare = sql.replace(/'[^']*'?|"[^"]*"?|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, " ");
  if (/;\s*[^\s;]/.test(bare)) {
    throw new HranaError("SQL_MANY_STATEMENTS", "The SQL text has more than one statement");
  }
}

function bind({ args, named_args: named }: HranaStatement): unknown[] {
  if (args?.length && named?.length) {
    throw new HranaError("ARGS_INVALID", "Arguments go by position or by name, not both");
  }
  if (!named?.length) return (args ?? []).map(toNative);
  const byName = named.map(({ name, value }) => [name.replace(/^[:@$]/, ""), toNative(value)]);
  // The package takes an object of named arguments as the only positional one.
  return [Object.fromEntries(byName)];
}

function toNative(value: HranaValue): unknown {
  switch (value.type) {
    case "null":
      return null;
    case "integer":
      return BigInt(value.value);
    case "blob":
      return Buffer.from(value.base64, "base64");
    case "float":
    case "text":
      return value.value;
  }
}

function toHranaValue(value: unknown): HranaValue {
  if (value === null || value === undefined) return { type: "null" };
  if (typeof value === "bigint") return { type: "integer", value: String(value) };
  if (typeof value === "number") return { type: "float", value };
  if (typeof value === "string") return { type: "text", value };
  // Without padding, as in a libSQL server.
  if (Buffer.isBuffer(value)) {
    return { type: "blob", base64: withoutTrailing(value.toString("base64"), "=") };
  }
  throw new HranaError("SQLITE_UNKNOWN", `SQLite gave a value of type ${typeof value}`);
}
