import { withoutTrailing } from "../../shared/without-trailing.ts";
import type { HranaConnection, HranaConnections } from "./hrana-connections.ts";
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
// What a connection remembers after the stream, and what its prepared statements do not know.
const CHANGES_CONNECTION = /\b(pragma|attach|detach|temp|temporary|create|alter|drop)\b/i;
const COUNTERS = "SELECT total_changes(), last_insert_rowid()";

/** One Hrana stream: a native connection of its own, and the SQL texts that its client stored. */
export class HranaStream implements Disposable {
  readonly #connections: HranaConnections;
  readonly #connection: HranaConnection;
  readonly #texts = new Map<number, string>();
  #isAsNew = true;
  closed = false;

  constructor(connections: HranaConnections) {
    this.#connections = connections;
    this.#connection = connections.take();
  }

  get inTransaction(): boolean {
    return !this.closed && this.#connection.native.inTransaction;
  }

  /** Runs one request. A failure is a response, and later requests of the pipeline still run. */
  answer(request: HranaRequest): HranaAnswer {
    try {
      return { type: "ok", response: { type: request.type, ...this.#run(request) } };
    } catch (error) {
      return { type: "error", error: this.#fault(error) };
    }
  }

  /** Rolls back an open transaction. */
  [Symbol.dispose](): void {
    if (this.closed) return;
    if (this.inTransaction) this.#connection.native.exec("ROLLBACK");
    this.closed = true;
    this.#connections.give(this.#connection, this.#isAsNew);
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
        this.#connection.native.exec(this.#textOf(request));
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

  #execute(given: HranaStatement): HranaResult {
    const sql = this.#textOf(given);
    assertSingleStatement(sql);
    const { statement, reader, columns, columnTypes } = this.#connection.statements.get(sql);
    const [changesBefore] = this.#counters();
    const rows = reader ? (statement.safeIntegers(true).all(...bind(given)) as unknown[][]) : [];
    if (!reader) statement.run(...bind(given));
    const [changes, lastId] = this.#counters();
    return {
      cols: columns.map((name, at) => ({ name, decltype: columnTypes[at] || null })),
      rows: given.want_rows === false ? [] : rows.map((row) => row.map(toHranaValue)),
      affected_row_count: Number(changes - changesBefore),
      last_insert_rowid: String(lastId),
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
          fault = this.#fault(error);
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

  #fault(error: unknown): HranaFault {
    const fault = toHranaFault(error);
    // After BUSY a connection can answer later writes with success and lose them (libsql-client-ts #352).
    if (fault.code === "SQLITE_BUSY") this.#isAsNew = false;
    return fault;
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
    if (CHANGES_CONNECTION.test(text)) this.#isAsNew = false;
    return text;
  }

  #counters(): [changes: bigint, lastId: bigint] {
    const { statement } = this.#connection.statements.get(COUNTERS);
    return statement.safeIntegers(true).get([]) as [bigint, bigint];
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
