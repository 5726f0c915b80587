import { setImmediate } from "node:timers/promises";
import type { Database } from "../../shared/database.ts";
import type { Logger } from "../../shared/log.ts";

/** Work on rows in the background, one run at a time. What a run leaves, the next one or the next start continues. */
export abstract class BackgroundWork {
  protected readonly db: Database;
  readonly #log: Logger;
  #wanted = false;
  #stopped = false;
  #running: Promise<void> | undefined;

  constructor({ db, log }: { db: Database; log: Logger }) {
    this.db = db;
    this.#log = log;
  }

  /** The log line of a run that failed; the next run continues. */
  protected abstract readonly failed: string;

  /** Removes or adds rows in small commits until nothing is left, or `isOver`. */
  protected abstract work(): Promise<void>;

  /** Whether a run must end: it was stopped, or the database is closed. */
  protected get isOver(): boolean {
    return this.#stopped || this.db.$client.closed;
  }

  /** Starts a run; while one runs, another follows it. */
  wake(): void {
    this.#wanted = true;
    if (this.#stopped) return;
    this.#running ??= this.#run();
  }

  /** Resolves once no run is left, or one failed. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** Ends the run after its current commit. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#wanted && !this.isOver) {
        this.#wanted = false;
        // The response to the request that woke it is sent first.
        await setImmediate();
        await this.work();
      }
    } catch (error) {
      if (!this.isOver) this.#log.error({ error }, this.failed);
    } finally {
      this.#running = undefined;
    }
  }
}
