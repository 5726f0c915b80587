import type { Clock, Timers } from "../../shared/clock.ts";

/** A clock that stands still until the test moves it; what falls due then fires, in order. */
export class TestClock implements Clock, Timers {
  #nowMs: number;
  readonly #timers = new Set<{ dueMs: number; run: () => void }>();

  constructor(startMs = Date.parse("2026-01-02T03:04:05.000Z")) {
    this.#nowMs = startMs;
  }

  /** How many timers wait: none after everything has ended. */
  get pendingTimers(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#nowMs;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { dueMs: this.#nowMs + delayMs, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  advance(byMs: number): void {
    const endMs = this.#nowMs + byMs;
    for (;;) {
      const due = [...this.#timers].filter(({ dueMs }) => dueMs <= endMs);
      const next = due.sort((left, right) => left.dueMs - right.dueMs)[0];
      if (!next) break;
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.run();
    }
    this.#nowMs = endMs;
  }
}
