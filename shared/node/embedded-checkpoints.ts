import { statSync } from "node:fs";
import type Connection from "libsql/promise";

/** A longer write-ahead log is moved into the database. As much as SQLite's own bound of 1,000 pages. */
const LOG_BYTES_MAX = 4 * 1024 * 1024;

/** Of the connection that writes: its commits move no pages, and a log that begins anew is cut to the bound. */
export const CHECKPOINT_PRAGMAS = ["wal_autocheckpoint=0", `journal_size_limit=${LOG_BYTES_MAX}`];

/**
 * Moves the write-ahead log of one database file into it, on a connection of its own and in a thread of the driver. A
 * checkpoint waits for the disk; within a commit the event loop would wait, too. Most of it runs beside writes. Writes
 * wait for the short rest, since a log begins anew only where all of it was moved. It also begins anew here: SQLite waits for
 * the disk to have the head of a new log before anything else is written.
 */
export class EmbeddedCheckpoints implements AsyncDisposable {
  readonly #path: string;
  /** A write that changes nothing: it begins the new log. */
  readonly #firstWrite: string;
  #connection: Connection | undefined;
  #running: Promise<void> | undefined;
  #rest: Promise<void> | undefined;
  #bytesMax = LOG_BYTES_MAX;
  #closed = false;

  /** @param version the `user_version` of the file */
  constructor(path: string, version: number) {
    this.#path = path;
    this.#firstWrite = `PRAGMA user_version=${version}`;
  }

  /** The checkpoint that runs; it never rejects. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /** The part of a checkpoint that writes wait for; it never rejects. */
  get rest(): Promise<void> | undefined {
    return this.#rest;
  }

  /** Starts a checkpoint where the log is long. */
  afterCommit(): void {
    if (this.#running || this.#closed) return;
    const bytes = this.#logBytes();
    if (bytes <= LOG_BYTES_MAX) this.#bytesMax = LOG_BYTES_MAX;
    if (bytes <= this.#bytesMax) return;
    // An open snapshot keeps the log from beginning anew. The next checkpoint then waits for as much again.
    this.#bytesMax = bytes + LOG_BYTES_MAX;
    this.#running = this.#runAll();
  }

  /** Waits for the checkpoint that runs. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.#running;
    this.#connection?.close();
    this.#connection = undefined;
  }

  async #runAll(): Promise<void> {
    await this.#run("PRAGMA wal_checkpoint(PASSIVE)");
    this.#rest = this.#moveRest();
    await this.#rest;
    this.#rest = undefined;
    this.#running = undefined;
  }

  async #moveRest(): Promise<void> {
    await this.#run("PRAGMA wal_checkpoint(PASSIVE)");
    await this.#run(this.#firstWrite);
  }

  async #run(sql: string): Promise<void> {
    try {
      this.#connection ??= await connectTo(this.#path);
      // Not `prepare`: a statement that is not collected keeps the file open after a close.
      await this.#connection.exec(sql);
    } catch {
      // The log is as good as the database. Where the disk is full or broken, the next write fails and says so.
    }
  }

  #logBytes(): number {
    try {
      return statSync(`${this.#path}-wal`).size;
    } catch {
      // Without a log there is nothing to move. The commit that asks is complete, whatever the reason.
      return 0;
    }
  }
}

/** The driver's second interface is loaded with the first checkpoint: few processes write so much. */
async function connectTo(path: string): Promise<Connection> {
  const { default: Driver } = await import("libsql/promise");
  const connection = new Driver(path, {});
  for (const pragma of CHECKPOINT_PRAGMAS) await connection.exec(`PRAGMA ${pragma}`);
  return connection;
}
