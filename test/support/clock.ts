import type { Clock } from "../../shared/clock.ts";

/** A clock that stands still until the test moves it. */
export class TestClock implements Clock {
  #nowMs: number;

  constructor(startMs = Date.parse("2026-01-02T03:04:05.000Z")) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  advance(byMs: number): void {
    this.#nowMs += byMs;
  }
}
