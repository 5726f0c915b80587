import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";
import type { ResultSet } from "@libsql/core/api";
import Connection from "libsql";
import { resultSet } from "../result-set.ts";
import { EmbeddedStatements, type Statement } from "./embedded-statements.ts";
import { bind, toEmbeddedRow } from "./embedded-values.ts";

/** A write-ahead log that begins anew is cut to 4 MiB, which SQLite's own checkpoints at 1,000 pages rarely let it pass. */
const LOG_BOUND = `journal_size_limit=${4 * 1024 * 1024}`;

const dataSync = promisify(fdatasync);

/**
 * The connection that writes, with its pragmas and its prepared statements. All calls are synchronous, and throw the errors
 * of the `libsql` package.
 */
export class EmbeddedConnection {
  readonly #path: string;
  readonly #pragmas: readonly string[];
  #connection: Connection.Database;
  #statements: EmbeddedStatements;
  #commitsBeforeDisk = false;

  constructor(path: string, pragmas: readonly string[]) {
    this.#path = path;
    this.#pragmas = pragmas;
    this.#connection = this.#connect();
    this.#statements = new EmbeddedStatements(this.#connection);
  }

  get inTransaction(): boolean {
    return this.#connection.inTransaction;
  }

  /** Whether a commit ends before the disk has the write-ahead log: a durable write then waits for that itself. */
  get commitsBeforeDisk(): boolean {
    return this.#commitsBeforeDisk;
  }

  run({ sql, args }: Statement): ResultSet {
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

  /** One call of the driver, where all rows take several: a tenth of the time of a small request. */
  first({ sql, args }: Statement): unknown[] | undefined {
    return this.#statements.get(sql).statement.get(bind(args)) as unknown[] | undefined;
  }

  /** A statement without arguments and rows, such as BEGIN. */
  control(sql: string): void {
    this.#statements.get(sql).statement.run([]);
  }

  /** Several statements at once, outside a transaction. Cached statements may be of the former schema. */
  script(sql: string): void {
    this.#connection.exec(sql);
    this.#statements = new EmbeddedStatements(this.#connection);
  }

  reconnect(): void {
    this.close();
    this.#connection = this.#connect();
    this.#statements = new EmbeddedStatements(this.#connection);
  }

  close(): void {
    this.#statements.drop();
    try {
      if (this.#connection.open) this.#connection.close();
    } catch {
      // The connection is not used again.
    }
  }

  #connect(): Connection.Database {
    const connection = new Connection(this.#path);
    for (const pragma of ["foreign_keys=ON", LOG_BOUND, ...this.#pragmas]) {
      connection.prepare(`PRAGMA ${pragma}`).all();
    }
    const isFull = this.#pragmas.includes("synchronous=FULL");
    const [mode] = connection.prepare("PRAGMA journal_mode").raw(true).get() as unknown[];
    // A file system without shared memory keeps its rollback journal, which SQLite alone can order.
    this.#commitsBeforeDisk = isFull && mode === "wal";
    if (this.#commitsBeforeDisk) connection.prepare("PRAGMA synchronous=NORMAL").all();
    return connection;
  }
}

/**
 * Resolves once all commits of one database file so far survive a power cut. A thread of Node's pool waits for the disk: within a
 * commit the event loop would, for as long as the disk has other work. 300 ms were seen beside a checkpoint.
 */
export async function syncLog(database: string): Promise<void> {
  const file = openSync(`${database}-wal`, "r+");
  try {
    await dataSync(file);
  } finally {
    closeSync(file);
  }
}
