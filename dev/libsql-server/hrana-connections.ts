import Connection from "libsql";
import { EmbeddedStatements } from "../../shared/node/embedded-statements.ts";

// Only another process can hold the file: streams of one server take turns (hrana-streams.ts).
const FOREIGN_LOCK_WAIT_MS = 2000;

/** A native connection with its prepared statements. */
export interface HranaConnection {
  native: Connection.Database;
  statements: EmbeddedStatements;
}

/**
 * The connections to one database file. A stream has one of its own, and the next stream gets it: to open the file and to read its
 * schema takes longer than most statements.
 */
export class HranaConnections implements Disposable {
  readonly #path: string;
  readonly #pragmas: readonly string[];
  readonly #idle: HranaConnection[] = [];

  constructor(path: string, pragmas: readonly string[]) {
    this.#path = path;
    this.#pragmas = ["foreign_keys=ON", ...pragmas];
  }

  take(): HranaConnection {
    return this.#idle.pop() ?? this.#connect();
  }

  /** Takes back a connection. Where it is not as a new one is, it closes, as do those whose statements may be of a former schema. */
  give(connection: HranaConnection, isAsNew: boolean): void {
    this.#idle.push(connection);
    if (!isAsNew) this[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    for (const { native, statements } of this.#idle.splice(0)) {
      statements.drop();
      native.close();
    }
  }

  #connect(): HranaConnection {
    const native = new Connection(this.#path, { timeout: FOREIGN_LOCK_WAIT_MS });
    for (const pragma of this.#pragmas) native.prepare(`PRAGMA ${pragma}`).all();
    return { native, statements: new EmbeddedStatements(native) };
  }
}
