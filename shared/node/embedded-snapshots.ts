import type { InArgs } from "@libsql/core/api";
import Connection from "libsql";
import { closedError, toLibsqlError } from "./embedded-errors.ts";
import { EmbeddedStatements } from "./embedded-statements.ts";
import { bind } from "./embedded-values.ts";

/** One state of the database, read over many turns of the event loop. Disposing it releases its connection. */
export interface Snapshot extends Disposable {
  /** The values of each row, as the driver has them: a blob is a Buffer. @throws LibsqlError, also after a close. */
  values(sql: string, args: InArgs): unknown[][];
}

interface Reader {
  connection: Connection.Database;
  statements: EmbeddedStatements;
}

/** Further callers wait: an open snapshot prevents a checkpoint of the write-ahead log. */
const READERS_MAX = 4;

/**
 * Read transactions of one database file, each on its own connection. In WAL mode a reader keeps its state of the file while
 * others write, and neither waits for the other. Connections are opened on first use and kept.
 */
export class EmbeddedSnapshots implements Disposable {
  readonly #path: string;
  readonly #readers = new Set<Reader>();
  readonly #free: Reader[] = [];
  readonly #waiting: ((reader: Reader | undefined) => void)[] = [];
  #closed = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves once a connection is free. The state is the one at the first read. */
  async open(): Promise<Snapshot> {
    const reader = await this.#take();
    reader.statements.get("BEGIN").statement.run([]);
    let isOpen = true;
    return {
      values: (sql, args) => {
        if (this.#closed || !isOpen) throw closedError();
        return readValues(reader.statements, sql, args);
      },
      [Symbol.dispose]: () => {
        if (this.#closed || !isOpen) return;
        isOpen = false;
        reader.statements.get("ROLLBACK").statement.run([]);
        this.#giveBack(reader);
      },
    };
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    for (const { connection, statements } of this.#readers) {
      statements.drop();
      connection.close();
    }
    this.#readers.clear();
    for (const resolve of this.#waiting.splice(0)) resolve(undefined);
  }

  async #take(): Promise<Reader> {
    if (this.#closed) throw closedError();
    const free = this.#free.pop();
    if (free) return free;
    if (this.#readers.size < READERS_MAX) return this.#connect();
    const reader = await new Promise<Reader | undefined>((resolve) => this.#waiting.push(resolve));
    if (!reader) throw closedError();
    return reader;
  }

  #connect(): Reader {
    const connection = new Connection(this.#path, { readonly: true });
    const reader = { connection, statements: new EmbeddedStatements(connection) };
    this.#readers.add(reader);
    return reader;
  }

  #giveBack(reader: Reader): void {
    const next = this.#waiting.shift();
    if (next) next(reader);
    else this.#free.push(reader);
  }
}

/** Runs a query to its end. @throws LibsqlError */
export function readValues(statements: EmbeddedStatements, sql: string, args: InArgs): unknown[][] {
  try {
    return statements.get(sql).statement.all(bind(args)) as unknown[][];
  } catch (error) {
    throw toLibsqlError(error);
  }
}
