import { setImmediate } from "node:timers/promises";
import type { Database } from "../../shared/database.ts";
import type { Logger } from "../../shared/log.ts";

interface BackgroundParts {
  db: Database;
  log: Logger;
  /** Removes or adds rows in small commits until nothing is left, or `isOver`. */
  work(): Promise<void>;
  /** The log line of a run that failed; the next run continues. */
  failed: string;
}

/** Work on rows in the background, one run at a time. What a run leaves, the next one or the next start continues. */
export class BackgroundWork {
  readonly #parts: BackgroundParts;
  #wanted = false;
  #stopped = false;
  #running: Promise<void> | undefined;

  constructor(parts: BackgroundParts) {
    this.#parts = parts;
  }

  /** Whether a run must end: it was stopped, or the database is closed. */
  get isOver(): boolean {
    return this.#stopped || this.#parts.db.$client.closed;
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
    const { log, work, failed } = this.#parts;
    try {
      while (this.#wanted && !this.isOver) {
        this.#wanted = false;
        // The response to the request that woke it is sent first.
        await setImmediate();
        await work();
      }
    } catch (error) {
      if (!this.isOver) log.error({ error }, failed);
    } finally {
      this.#running = undefined;
    }
  }
}
