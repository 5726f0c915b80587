import type { InArgs } from "@libsql/core/api";
import Connection from "libsql";
import { EmbeddedClient, type EmbeddedOptions } from "../../shared/node/embedded-client.ts";
import { closedError, toLibsqlError } from "../../shared/node/embedded-errors.ts";
import { EmbeddedStatements } from "../../shared/node/embedded-statements.ts";
import { bind } from "../../shared/node/embedded-values.ts";

/** One state of the database, read over many turns of the event loop. Disposing it releases its connection. */
export interface Snapshot extends Disposable {
  /** The values of the first row, as the driver has them: a blob is a Buffer. @throws LibsqlError, also after a close. */
  first(sql: string, args: InArgs): Promise<readonly unknown[] | undefined>;
}

interface Reader {
  connection: Connection.Database;
  statements: EmbeddedStatements;
}

/** Further callers wait: an open snapshot prevents a checkpoint of the write-ahead log. */
const READERS_MAX = 4;

/**
 * The client of engine.db. It also has read transactions, each on its own connection. In WAL mode a reader keeps its state of the
 * file while others write, and neither waits for the other. Connections are opened on first use and kept.
 */
export class SnapshotClient extends EmbeddedClient {
  readonly #path: string;
  readonly #readers = new Set<Reader>();
  readonly #free: Reader[] = [];
  readonly #waiting: ((reader: Reader | undefined) => void)[] = [];

  constructor(options: EmbeddedOptions) {
    super(options);
    this.#path = options.path;
  }

  /**
   * Resolves once a connection is free. The state is the one at the first read. A database in memory has one connection only:
   * there each read sees the current state.
   */
  async openSnapshot(): Promise<Snapshot> {
    if (this.#path === ":memory:") {
      return { first: (sql, args) => this.first(sql, args), [Symbol.dispose]() {} };
    }
    const reader = await this.#take();
    reader.statements.get("BEGIN").statement.run([]);
    let isOpen = true;
    return {
      first: async (sql, args) => {
        if (this.closed || !isOpen) throw closedError();
        return readFirst(reader, sql, args);
      },
      [Symbol.dispose]: () => {
        if (this.closed || !isOpen) return;
        isOpen = false;
        reader.statements.get("ROLLBACK").statement.run([]);
        this.#giveBack(reader);
      },
    };
  }

  override close(): void {
    // Before the connection that writes: SQLite removes the write-ahead log with the last one, if that may write.
    for (const { connection, statements } of this.#readers) {
      statements.drop();
      connection.close();
    }
    this.#readers.clear();
    for (const resolve of this.#waiting.splice(0)) resolve(undefined);
    super.close();
  }

  async #take(): Promise<Reader> {
    if (this.closed) throw closedError();
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
function readFirst({ statements }: Reader, sql: string, args: InArgs): unknown[] | undefined {
  try {
    const [row] = statements.get(sql).statement.all(bind(args)) as unknown[][];
    return row;
  } catch (error) {
    throw toLibsqlError(error);
  }
}
