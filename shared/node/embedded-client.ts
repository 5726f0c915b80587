import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import {
  type Client,
  type InArgs,
  type InStatement,
  LibsqlError,
  type ResultSet,
} from "@libsql/core/api";
import { isDamage } from "../system-error.ts";
import { collectGarbage } from "./collect-garbage.ts";
import { EmbeddedConnection, syncLog } from "./embedded-connection.ts";
import { closedError, isBusy, toBatchError, toLibsqlError } from "./embedded-errors.ts";
import { isWrite, normalize, type Statement } from "./embedded-statements.ts";

/** The options of an embedded database. The pragmas are set again after every reconnect. */
export interface EmbeddedOptions {
  /** A file path, or `:memory:`. */
  path: string;
  /** Such as `journal_mode=WAL`. */
  pragmas: readonly string[];
  /** Called once, when a statement first meets a damaged page. */
  onDamage?: (() => void) | undefined;
  /** Waits until the disk has the write-ahead log; a test replaces it. */
  log?: { sync(): Promise<void> };
}

const GROUP_UNITS_MAX = 256;
// A wait for a foreign lock uses timers, not SQLite's busy handler, which would block the event loop.
const BUSY_WAITS_MS = [20, 80, 300, 1200, 3400];

/**
 * The `@libsql/client` interface over one embedded connection, made of the same `libsql` package: prepared statements
 * are kept, and all writes that arrive within one tick share one commit. Each caller is answered after the disk has the commit
 * that holds its write. There is no interactive transaction: it would hold the only connection (see ARCHITECTURE.md, storage).
 */
export function openEmbeddedClient(options: EmbeddedOptions): EmbeddedClient {
  return new EmbeddedClient(options);
}

/** Statements that succeed or fail together; the answer waits for the commit. */
interface Unit {
  statements: Statement[];
  isBatch: boolean;
  resolve(results: ResultSet[]): void;
  reject(error: unknown): void;
}

export class EmbeddedClient implements Client, AsyncDisposable {
  readonly protocol = "file";
  closed = false;
  readonly #options: EmbeddedOptions;
  readonly #connection: EmbeddedConnection;
  #queue: Unit[] = [];
  #flushing: Promise<void> | undefined;
  readonly #log: { sync(): Promise<void> };
  #damageNoted = false;

  constructor(options: EmbeddedOptions) {
    this.#options = options;
    this.#log = options.log ?? { sync: () => syncLog(options.path) };
    this.#connection = new EmbeddedConnection(options.path, options.pragmas);
  }

  async execute(statement: InStatement, args?: InArgs): Promise<ResultSet> {
    const normal = normalize(statement, args);
    if (!isWrite(normal.sql)) return this.#read(() => this.#connection.run(normal));
    const [result] = await this.#write([normal], false);
    if (!result) throw new LibsqlError("A write returned no result.", "INTERNAL");
    return result;
  }

  /** The values of the first row of a query, as the driver has them; undefined if there is none. */
  first(sql: string, args: InArgs): Promise<readonly unknown[] | undefined> {
    return this.#read(() => this.#connection.first({ sql, args }));
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
    this.#connection.script(sql);
  }

  sync(): never {
    throw new LibsqlError("An embedded file has nothing to sync with.", "UNSUPPORTED");
  }

  reconnect(): void {
    this.#connection.reconnect();
  }

  close(): void {
    this.closed = true;
    this.#connection.close();
    for (const unit of this.#queue.splice(0)) unit.reject(closedError());
  }

  /**
   * Waits for pending writes, then closes. SQLite removes the write-ahead log with the last connection, and the driver keeps a
   * connection until its statements are collected.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.closed) return;
    await this.#flushing;
    this.close();
    // Most often the statements are young: all of the heap takes a hundred times as long.
    for (const garbage of ["minor", "major"] as const) {
      if (existsSync(`${this.#options.path}-wal`)) await collectGarbage(garbage);
    }
  }

  async #read<Result>(read: () => Result): Promise<Result> {
    for (const waitMs of BUSY_WAITS_MS) {
      this.#assertOpen();
      try {
        return read();
      } catch (error) {
        if (!isBusy(error)) throw this.#noted(toLibsqlError(error));
        this.reconnect();
        await delay(jittered(waitMs));
      }
    }
    this.#assertOpen();
    return read();
  }

  #write(statements: Statement[], isBatch: boolean): Promise<ResultSet[]> {
    if (this.closed) return Promise.reject(closedError());
    return new Promise((resolve, reject) => {
      this.#queue.push({ statements, isBatch, resolve, reject });
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
        const outcomes = this.#commitOnce(units);
        return await this.#answer(units, outcomes);
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

  /** Throws where the whole group failed. A unit that failed alone is rolled back alone. */
  #commitOnce(units: Unit[]): (ResultSet[] | LibsqlError)[] {
    this.#assertOpen();
    this.#connection.control("BEGIN IMMEDIATE");
    const outcomes = units.map((unit) => {
      this.#connection.control("SAVEPOINT unit");
      const outcome = this.#runUnit(unit);
      if (outcome instanceof LibsqlError) this.#connection.control("ROLLBACK TO unit");
      this.#connection.control("RELEASE unit");
      return outcome;
    });
    this.#connection.control("COMMIT");
    return outcomes;
  }

  /** Answers all units once the disk has the commit. A unit that failed keeps its own error. */
  async #answer(units: Unit[], outcomes: (ResultSet[] | LibsqlError)[]): Promise<void> {
    const written = outcomes.some((outcome) => !(outcome instanceof LibsqlError));
    let failure: LibsqlError | undefined;
    try {
      if (written && this.#connection.commitsBeforeDisk) await this.#log.sync();
    } catch (error) {
      // The commit may survive or not, like one whose answer is lost.
      failure = this.#noted(toLibsqlError(error));
    }
    units.forEach((unit, at) => {
      const own = outcomes[at] ?? [];
      const outcome = own instanceof LibsqlError ? own : (failure ?? own);
      if (outcome instanceof LibsqlError) unit.reject(outcome);
      else unit.resolve(outcome);
    });
  }

  /** Up to the statement that fails. Throws where that ended the transaction, or another connection holds the lock. */
  #runUnit({ statements, isBatch }: Unit): ResultSet[] | LibsqlError {
    const results: ResultSet[] = [];
    for (const statement of statements) {
      try {
        results.push(this.#connection.run(statement));
      } catch (error) {
        if (isBusy(error) || !this.#connection.inTransaction) throw error;
        return this.#noted(isBatch ? toBatchError(error, results.length) : toLibsqlError(error));
      }
    }
    return results;
  }

  #rollBack(): void {
    if (this.closed || !this.#connection.inTransaction) return;
    try {
      this.#connection.control("ROLLBACK");
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

function jittered(waitMs: number): number {
  return waitMs * (0.75 + Math.random() / 2);
}
