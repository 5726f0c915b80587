import { WATCH_BUSY_MS, WATCH_LATEST_MS, WATCH_QUIET_MS } from "../limits.ts";

/**
 * When a watched root is indexed: after a quiet moment, and while changes go on, at intervals. A run that takes long is
 * followed by a rest as long, within the longest interval. Times are milliseconds of one clock.
 */
export class WatchSchedule {
  /** The first and the last change that no run has seen. */
  #firstMs: number | undefined;
  #lastMs = 0;
  #beganMs = Number.NEGATIVE_INFINITY;
  #restUntilMs = Number.NEGATIVE_INFINITY;
  #isRunning = false;

  change(nowMs: number): void {
    this.#firstMs ??= nowMs;
    this.#lastMs = Math.max(this.#lastMs, nowMs);
  }

  /** Wants a run without waiting for a quiet moment. */
  demand(): void {
    this.#firstMs = Number.NEGATIVE_INFINITY;
    this.#lastMs = Number.NEGATIVE_INFINITY;
  }

  /** A run begins: it sees every change so far. */
  begin(nowMs: number): void {
    this.#firstMs = undefined;
    this.#lastMs = 0;
    this.#beganMs = nowMs;
    this.#isRunning = true;
  }

  end(nowMs: number): void {
    const tookMs = nowMs - this.#beganMs;
    const restMs = Math.min(tookMs, Math.max(WATCH_LATEST_MS - tookMs, WATCH_QUIET_MS));
    this.#restUntilMs = nowMs + restMs;
    this.#isRunning = false;
  }

  /** When the next run begins; undefined while one is on, and where nothing changed. */
  get dueMs(): number | undefined {
    if (this.#isRunning || this.#firstMs === undefined) return undefined;
    const quietMs = this.#lastMs + WATCH_QUIET_MS;
    const busyMs = Math.max(this.#firstMs, this.#beganMs) + WATCH_BUSY_MS;
    return Math.max(Math.min(quietMs, busyMs), this.#restUntilMs);
  }
}
