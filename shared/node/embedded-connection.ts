import type { ResultSet } from "@libsql/core/api";
import Connection from "libsql";
import { resultSet } from "../result-set.ts";
import { CHECKPOINT_PRAGMAS } from "./embedded-checkpoints.ts";
import { EmbeddedStatements, type Statement } from "./embedded-statements.ts";
import { bind, toEmbeddedRow } from "./embedded-values.ts";

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
  #version = 0;

  constructor(path: string, pragmas: readonly string[]) {
    this.#path = path;
    this.#pragmas = pragmas;
    this.#connection = this.#connect();
    this.#statements = new EmbeddedStatements(this.#connection);
  }

  get inTransaction(): boolean {
    return this.#connection.inTransaction;
  }

  get statements(): EmbeddedStatements {
    return this.#statements;
  }

  /** Whether a commit ends before the disk has the write-ahead log: a durable write then waits for that itself. */
  get commitsBeforeDisk(): boolean {
    return this.#commitsBeforeDisk;
  }

  /** `PRAGMA user_version` of the file. */
  get version(): number {
    return this.#version;
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

  /** The values of the first row of a query. One call of the driver, where a result set takes two and builds more. */
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
    for (const pragma of ["foreign_keys=ON", ...CHECKPOINT_PRAGMAS, ...this.#pragmas]) {
      connection.prepare(`PRAGMA ${pragma}`).all();
    }
    const pragmaValue = (pragma: string) =>
      connection.prepare(`PRAGMA ${pragma}`).raw(true).get() as unknown[];
    this.#version = Number(pragmaValue("user_version")[0]);
    const isFull = this.#pragmas.includes("synchronous=FULL");
    // A file system without shared memory keeps its rollback journal, which SQLite alone can order.
    this.#commitsBeforeDisk = isFull && pragmaValue("journal_mode")[0] === "wal";
    if (this.#commitsBeforeDisk) connection.prepare("PRAGMA synchronous=NORMAL").all();
    return connection;
  }
}
