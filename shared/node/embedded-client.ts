import { setTimeout as delay } from "node:timers/promises";
import {
  type Client,
  type InArgs,
  type InStatement,
  LibsqlError,
  type ResultSet,
} from "@libsql/core/api";
import Connection from "libsql";
import { resultSet } from "../result-set.ts";
import { isDamage } from "../system-error.ts";
import { closedError, isBusy, toBatchError, toLibsqlError } from "./embedded-errors.ts";
import { EmbeddedSnapshots, readValues, type Snapshot } from "./embedded-snapshots.ts";
import { EmbeddedStatements } from "./embedded-statements.ts";
import { bind, toEmbeddedRow } from "./embedded-values.ts";

/** The options of an embedded database. The pragmas are set again after every reconnect. */
export interface EmbeddedOptions {
  /** A file path, or `:memory:`. */
  path: string;
  /** Such as `journal_mode=WAL`. */
  pragmas: readonly string[];
  /** Called once, when a statement first meets a damaged page. */
  onDamage?: (() => void) | undefined;
}

const IN_MEMORY = ":memory:";
const GROUP_UNITS_MAX = 256;
// A wait for a foreign lock uses timers, not SQLite's busy handler, which would block the event loop.
const BUSY_WAITS_MS = [20, 80, 300, 1200, 3400];

/**
 * The `@libsql/client` interface over one embedded connection, made of the same `libsql` package: prepared statements
 * are kept, and all writes that arrive within one tick share one commit. Each caller is answered after the commit that
 * holds its write. There is no interactive transaction: it would hold the only connection (see ARCHITECTURE.md, storage).
 */
export function openEmbeddedClient(options: EmbeddedOptions): EmbeddedClient {
  return new EmbeddedClient(options);
}

/** Statements that succeed or fail together; the answer waits for the commit. */
interface Unit {
  statements: Statement[];
  isBatch: boolean;
  /** Whether the answer waits until a power cut cannot undo it. */
  isDurable: boolean;
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
  #connection: Connection.Database;
  #statements: EmbeddedStatements;
  #queue: Unit[] = [];
  #flushing: Promise<void> | undefined;
  readonly #snapshots: EmbeddedSnapshots | undefined;
  #damageNoted = false;
  #isRelaxed = false;

  constructor(options: EmbeddedOptions) {
    this.#options = options;
    if (options.path !== IN_MEMORY) this.#snapshots = new EmbeddedSnapshots(options.path);
    this.#connection = this.#connect();
    this.#statements = new EmbeddedStatements(this.#connection);
  }

  async execute(statement: InStatement, args?: InArgs): Promise<ResultSet> {
    const normal = normalize(statement, args);
    if (!isWrite(normal.sql)) return this.#read(normal);
    const [result] = await this.#write([normal], { isBatch: false, isDurable: true });
    if (!result) throw new LibsqlError("A write returned no result.", "INTERNAL");
    return result;
  }

  /**
   * A batch that a power cut may undo, for work that is found again and repeated: its commit does not wait for the disk. The
   * next other commit makes it durable.
   */
  batchRelaxed(statements: InStatement[]): Promise<ResultSet[]> {
    return this.#write(statements, { isBatch: true, isDurable: false });
  }

  /** Always one BEGIN IMMEDIATE transaction, whatever the mode: a deferred one can fail half-way. */
  batch(statements: Array<InStatement | [string, InArgs?]>): Promise<ResultSet[]> {
    return this.#write(statements, { isBatch: true, isDurable: true });
  }

  /**
   * One state of the database for reads over many turns of the event loop, while others write. A database in memory has one
   * connection only: there each read sees the current state.
   */
  async openSnapshot(): Promise<Snapshot> {
    this.#assertOpen();
    if (this.#snapshots) return this.#snapshots.open();
    return {
      values: (sql, args) => {
        this.#assertOpen();
        return readValues(this.#statements, sql, args);
      },
      [Symbol.dispose]() {},
    };
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
    this.#statements = new EmbeddedStatements(this.#connection);
  }

  sync(): never {
    throw new LibsqlError("An embedded file has nothing to sync with.", "UNSUPPORTED");
  }

  reconnect(): void {
    closeQuietly(this.#connection);
    this.#connection = this.#connect();
    this.#statements = new EmbeddedStatements(this.#connection);
  }

  close(): void {
    this.closed = true;
    this.#snapshots?.[Symbol.dispose]();
    closeQuietly(this.#connection);
    for (const unit of this.#queue.splice(0)) unit.reject(closedError());
  }

  /** Waits for pending writes, then closes. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.closed) return;
    await this.#flushing;
    this.close();
  }

  #connect(): Connection.Database {
    const connection = new Connection(this.#options.path);
    this.#isRelaxed = false;
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
        if (!isBusy(error)) throw this.#noted(toLibsqlError(error));
        this.reconnect();
        await delay(jittered(waitMs));
      }
    }
    this.#assertOpen();
    return this.#run(statement);
  }

  #write(
    written: Array<InStatement | [string, InArgs?]>,
    kind: Pick<Unit, "isBatch" | "isDurable">,
  ): Promise<ResultSet[]> {
    if (this.closed) return Promise.reject(closedError());
    const statements = written.map((statement) => normalize(statement));
    return new Promise((resolve, reject) => {
      this.#queue.push({ statements, ...kind, resolve, reject });
      this.#flushing ??= this.#flush();
    });
  }

  async #flush(): Promise<void> {
    // Writes of one turn of the event loop are grouped.
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
          const failure = this.#noted(toLibsqlError(error));
          for (const unit of units) unit.reject(failure);
          return;
        }
        await delay(jittered(waitMs));
      }
    }
  }

  /** Throws where the whole group failed. A unit that failed alone is rejected and rolled back alone. */
  #commitOnce(units: Unit[]): void {
    this.#assertOpen();
    this.#relax(units.every(({ isDurable }) => !isDurable));
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
    // A single failed statement has no effect; several need a savepoint.
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
        return this.#noted(
          unit.isBatch ? toBatchError(error, results.length) : toLibsqlError(error),
        );
      }
    }
    if (marked) this.#control("RELEASE unit");
    return results;
  }

  #run({ sql, args }: Statement): ResultSet {
    const { statement, reader, columns, columnTypes } = this.#statements.get(sql);
    const bound = bind(args);
    if (!reader) {
      const { changes, lastInsertRowid } = statement.run(bound);
      return resultSet([], columns, columnTypes, changes, BigInt(lastInsertRowid));
    }
    const rows = (statement.all(bound) as unknown[][]).map((values) =>
      toEmbeddedRow(values, columns),
    );
    return resultSet(rows, columns, columnTypes, 0, undefined);
  }

  /** How the next commits are written; SQLite changes that between transactions only. */
  #relax(isRelaxed: boolean): void {
    if (isRelaxed === this.#isRelaxed) return;
    this.#isRelaxed = isRelaxed;
    const own = this.#options.pragmas.find((pragma) => pragma.startsWith("synchronous="));
    this.#control(`PRAGMA ${isRelaxed ? "synchronous=NORMAL" : (own ?? "synchronous=FULL")}`);
  }

  #control(sql: string): void {
    this.#statements.get(sql).statement.run([]);
  }

  #rollBack(): void {
    if (this.closed || !this.#connection.inTransaction) return;
    try {
      this.#control("ROLLBACK");
    } catch {
      this.reconnect();
    }
  }

  #noted(error: LibsqlError): LibsqlError {
    if (!this.#damageNoted && isDamage(error)) {
      this.#damageNoted = true;
      this.#options.onDamage?.();
    }
    return error;
  }

  #assertOpen(): void {
    if (this.closed) throw closedError();
  }
}

// Statements that may or must run outside a transaction. A CTE can be a write, so it is treated as one.
const RUNS_ALONE = /^\s*(select|values|explain|pragma|vacuum|attach|detach)\b/i;

function isWrite(sql: string): boolean {
  return !RUNS_ALONE.test(sql);
}

function normalize(statement: InStatement | [string, InArgs?], args?: InArgs): Statement {
  if (typeof statement === "string") return { sql: statement, args: args ?? [] };
  if (Array.isArray(statement)) return { sql: statement[0], args: statement[1] ?? [] };
  return { sql: statement.sql, args: statement.args ?? [] };
}

function closeQuietly(connection: Connection.Database): void {
  try {
    if (connection.open) connection.close();
  } catch {
    // The connection is not used again.
  }
}

function jittered(waitMs: number): number {
  return waitMs * (0.75 + Math.random() / 2);
}
