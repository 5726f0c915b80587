import { setTimeout as delay } from "node:timers/promises";
import {
  type Client,
  type InArgs,
  type InStatement,
  type InValue,
  LibsqlBatchError,
  LibsqlError,
  type ResultSet,
  type Row,
  type Value,
} from "@libsql/core/api";
import Connection from "libsql";

/** How an embedded database is opened; the pragmas hold again after every reconnect. */
export interface EmbeddedOptions {
  /** A file path, or `:memory:`. */
  path: string;
  /** Such as `journal_mode=WAL`. */
  pragmas: readonly string[];
}

const STATEMENT_CACHE_MAX = 256;
const GROUP_UNITS_MAX = 256;
// A foreign lock is waited for in the timer queue, never inside SQLite: its busy handler stops the event loop.
const BUSY_WAITS_MS = [20, 80, 300, 1200, 3400];

/**
 * The `@libsql/client` interface over one embedded connection, made of the same `libsql` package: prepared statements
 * are kept, and all writes that arrive within one tick share one commit. Each caller is answered after the commit that
 * holds its write. There is no interactive transaction: it would hold the only connection (see ARCHITECTURE.md, storage).
 */
export function openEmbeddedClient(options: EmbeddedOptions): EmbeddedClient {
  return new EmbeddedClient(options);
}

interface Prepared {
  statement: Connection.Statement;
  reader: boolean;
  columns: string[];
  columnTypes: string[];
}

/** Statements that succeed or fail together; the answer waits for the commit. */
interface Unit {
  statements: Statement[];
  isBatch: boolean;
  resolve(results: ResultSet[]): void;
  reject(error: unknown): void;
}

interface Statement {
  sql: string;
  args: InArgs;
}

export class EmbeddedClient implements Client, AsyncDisposable {
  readonly protocol = "file";
  closed = false;
  readonly #options: EmbeddedOptions;
  readonly #prepared = new Map<string, Prepared>();
  #connection: Connection.Database;
  #queue: Unit[] = [];
  #flushing: Promise<void> | undefined;

  constructor(options: EmbeddedOptions) {
    this.#options = options;
    this.#connection = this.#connect();
  }

  async execute(statement: InStatement, args?: InArgs): Promise<ResultSet> {
    const normal = normalize(statement, args);
    if (!isWrite(normal.sql)) return this.#read(normal);
    const [result] = await this.#write([normal], false);
    if (!result) throw new LibsqlError("A write gave no result.", "INTERNAL");
    return result;
  }

  /** Always one BEGIN IMMEDIATE transaction, whatever the mode: a deferred one can fail half-way. */
  batch(statements: Array<InStatement | [string, InArgs?]>): Promise<ResultSet[]> {
    return this.#write(
      statements.map((statement) => normalize(statement)),
      true,
    );
  }

  migrate(): never {
    throw new LibsqlError("Use shared/migrate.ts.", "UNSUPPORTED");
  }

  transaction(): never {
    throw new LibsqlError("Use one statement or one batch.", "UNSUPPORTED");
  }

  async executeMultiple(sql: string): Promise<void> {
    this.#assertOpen();
    await this.#flushing;
    this.#connection.exec(sql);
    this.#prepared.clear();
  }

  sync(): never {
    throw new LibsqlError("An embedded file has nothing to sync with.", "UNSUPPORTED");
  }

  reconnect(): void {
    this.#prepared.clear();
    closeQuietly(this.#connection);
    this.#connection = this.#connect();
  }

  close(): void {
    this.closed = true;
    this.#prepared.clear();
    closeQuietly(this.#connection);
    for (const unit of this.#queue.splice(0)) unit.reject(closedError());
  }

  /** Waits for the writes on the way, then closes. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.closed) return;
    await this.#flushing;
    this.close();
  }

  #connect(): Connection.Database {
    const connection = new Connection(this.#options.path);
    for (const pragma of ["foreign_keys=ON", ...this.#options.pragmas]) {
      connection.prepare(`PRAGMA ${pragma}`).all();
    }
    return connection;
  }

  async #read(statement: Statement): Promise<ResultSet> {
    for (const waitMs of BUSY_WAITS_MS) {
      this.#assertOpen();
      try {
        return this.#run(statement);
      } catch (error) {
        if (!isBusy(error)) throw toLibsqlError(error);
        this.reconnect();
        await delay(jittered(waitMs));
      }
    }
    this.#assertOpen();
    return this.#run(statement);
  }

  #write(statements: Statement[], isBatch: boolean): Promise<ResultSet[]> {
    if (this.closed) return Promise.reject(closedError());
    return new Promise((resolve, reject) => {
      this.#queue.push({ statements, isBatch, resolve, reject });
      this.#flushing ??= this.#flush();
    });
  }

  async #flush(): Promise<void> {
    // One turn of the event loop gathers what arrives together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#queue.length > 0 && !this.closed) {
      await this.#commitGroup(this.#queue.splice(0, GROUP_UNITS_MAX));
    }
    this.#flushing = undefined;
  }

  async #commitGroup(units: Unit[]): Promise<void> {
    for (const waitMs of [...BUSY_WAITS_MS, undefined]) {
      try {
        this.#commitOnce(units);
        return;
      } catch (error) {
        this.#rollBack();
        // After BUSY a connection can answer later writes with success and lose them (libsql-client-ts #352).
        if (isBusy(error) && !this.closed) this.reconnect();
        if (!isBusy(error) || waitMs === undefined || this.closed) {
          for (const unit of units) unit.reject(toLibsqlError(error));
          return;
        }
        await delay(jittered(waitMs));
      }
    }
  }

  /** Throws where the whole group failed; a unit that failed by itself is rejected here and undone alone. */
  #commitOnce(units: Unit[]): void {
    this.#assertOpen();
    this.#control("BEGIN IMMEDIATE");
    const outcomes = units.map((unit) => this.#runUnit(unit, units.length > 1));
    this.#control("COMMIT");
    units.forEach((unit, at) => {
      const outcome = outcomes[at];
      if (outcome instanceof LibsqlError) unit.reject(outcome);
      else if (outcome) unit.resolve(outcome);
    });
  }

  #runUnit(unit: Unit, shared: boolean): ResultSet[] | LibsqlError {
    // A single statement undoes itself; several need a mark to go back to.
    const marked = unit.statements.length > 1 || shared;
    if (marked) this.#control("SAVEPOINT unit");
    const results: ResultSet[] = [];
    for (const statement of unit.statements) {
      try {
        results.push(this.#run(statement));
      } catch (error) {
        if (isBusy(error) || !this.#connection.inTransaction) throw error;
        if (marked) this.#control("ROLLBACK TO unit");
        if (marked) this.#control("RELEASE unit");
        return unit.isBatch ? toBatchError(error, results.length) : toLibsqlError(error);
      }
    }
    if (marked) this.#control("RELEASE unit");
    return results;
  }

  #run({ sql, args }: Statement): ResultSet {
    const { statement, reader, columns, columnTypes } = this.#prepare(sql);
    const bound = bind(args);
    if (!reader) {
      const { changes, lastInsertRowid } = statement.run(bound);
      return resultSet([], columns, columnTypes, changes, BigInt(lastInsertRowid));
    }
    const rows = (statement.all(bound) as unknown[][]).map((values) => toRow(values, columns));
    return resultSet(rows, columns, columnTypes, 0, undefined);
  }

  #control(sql: string): void {
    this.#prepare(sql).statement.run([]);
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known) {
      this.#prepared.delete(sql);
      this.#prepared.set(sql, known);
      return known;
    }
    const statement = this.#connection.prepare(sql);
    const reader = statement.reader;
    const described = reader ? statement.columns() : [];
    if (reader) statement.raw(true);
    const prepared = {
      statement,
      reader,
      columns: described.map(({ name }) => name),
      columnTypes: described.map(({ type }) => type ?? ""),
    };
    if (CHANGES_SCHEMA.test(sql)) {
      this.#prepared.clear();
      return prepared;
    }
    this.#prepared.set(sql, prepared);
    if (this.#prepared.size > STATEMENT_CACHE_MAX) {
      const [oldest] = this.#prepared.keys();
      if (oldest !== undefined) this.#prepared.delete(oldest);
    }
    return prepared;
  }

  #rollBack(): void {
    if (this.closed || !this.#connection.inTransaction) return;
    try {
      this.#control("ROLLBACK");
    } catch {
      this.reconnect();
    }
  }

  #assertOpen(): void {
    if (this.closed) throw closedError();
  }
}

const CHANGES_SCHEMA = /^\s*(create|alter|drop)\b/i;
// What must run outside a transaction, or may. A CTE can be a write: it goes with the writes.
const RUNS_ALONE = /^\s*(select|values|explain|pragma|vacuum|attach|detach)\b/i;

function isWrite(sql: string): boolean {
  return !RUNS_ALONE.test(sql);
}

function normalize(statement: InStatement | [string, InArgs?], args?: InArgs): Statement {
  if (typeof statement === "string") return { sql: statement, args: args ?? [] };
  if (Array.isArray(statement)) return { sql: statement[0], args: statement[1] ?? [] };
  return { sql: statement.sql, args: statement.args ?? [] };
}

function bind(args: InArgs): unknown[] | Record<string, unknown> {
  if (Array.isArray(args)) return args.map(toNative);
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name.replace(/^[:@$]/, ""), toNative(value)]),
  );
}

function toNative(value: InValue): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof ArrayBuffer) return Buffer.from(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.length);
  if (value instanceof Date) return value.getTime();
  if (value === undefined) throw new TypeError("undefined cannot be bound to a statement");
  return value;
}

/** Values by position and by name, as the interface promises. */
function toRow(values: unknown[], columns: string[]): Row {
  const row = values as unknown as Row;
  columns.forEach((name, at) => {
    const value = values[at];
    if (Buffer.isBuffer(value)) {
      values[at] = value.buffer.slice(value.byteOffset, value.byteOffset + value.length);
    }
    if (name !== "length") row[name] = values[at] as Value;
  });
  return row;
}

function resultSet(
  rows: Row[],
  columns: string[],
  columnTypes: string[],
  rowsAffected: number,
  lastInsertRowid: bigint | undefined,
): ResultSet {
  const toJSON = () => ({ columns, columnTypes, rows, rowsAffected, lastInsertRowid });
  return { rows, columns, columnTypes, rowsAffected, lastInsertRowid, toJSON };
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));
}

function toLibsqlError(error: unknown): LibsqlError {
  if (error instanceof LibsqlError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const extended = codeOf(error);
  // SQLITE_CONSTRAINT_UNIQUE → SQLITE_CONSTRAINT, as the remote client says it too.
  const code = /^SQLITE_[A-Z]+/.exec(extended)?.[0] ?? "SQLITE_ERROR";
  const cause = error instanceof Error ? error : undefined;
  return new LibsqlError(message, code, extended || undefined, undefined, cause);
}

function toBatchError(error: unknown, statementIndex: number): LibsqlError {
  const { message, code, extendedCode } = toLibsqlError(error);
  const cause = error instanceof Error ? error : undefined;
  return new LibsqlBatchError(message, statementIndex, code, extendedCode, undefined, cause);
}

function closedError(): LibsqlError {
  return new LibsqlError("The client is closed", "CLIENT_CLOSED");
}

function closeQuietly(connection: Connection.Database): void {
  try {
    if (connection.open) connection.close();
  } catch {
    // The connection is given up either way.
  }
}

function jittered(waitMs: number): number {
  return waitMs * (0.75 + Math.random() / 2);
}
