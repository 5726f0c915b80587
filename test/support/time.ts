import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { Clock, Timers } from "../../shared/clock.ts";

/** Ends a wait that only a fault makes this long. */
export const WATCHDOG_MS = 45_000;

const POLL_MS = 50;
const LOOK_MS = 100;

type Missing = undefined | false;

/**
 * Asks again and again until the answer is neither undefined nor false. For what no event tells, such as the state of another
 * process.
 * @throws where the watchdog comes first.
 */
export async function until<Value>(
  what: string,
  ask: () => Value | Missing | Promise<Value | Missing>,
): Promise<Value> {
  const watchdog = AbortSignal.timeout(WATCHDOG_MS);
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (watchdog.aborted) throw new Error(`${what} did not come within ${WATCHDOG_MS / 1000} s.`);
    await pause(POLL_MS);
  }
}

/**
 * Reads again and again until the value is the expected one. For what a page shows: it may still wait for a response or a change.
 * @throws AssertionError with both values where the watchdog comes first.
 */
export async function untilEqual<Value>(
  read: () => Promise<Value>,
  expected: Value,
  message?: string,
): Promise<void> {
  const watchdog = AbortSignal.timeout(WATCHDOG_MS);
  for (;;) {
    const value = await read();
    if (isDeepStrictEqual(value, expected)) return;
    if (watchdog.aborted) assert.deepEqual(value, expected, message);
    await pause(POLL_MS);
  }
}

/** The time between two looks at a program, which leaves the processor to what it does. */
export function pause(ms = LOOK_MS): Promise<void> {
  // biome-ignore lint/plugin: the one poll, of what no event tells.
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The time of this machine, for what a program judges by it: dates in tokens, rows and headers. Nothing waits for it. */
export function machineTimeMs(): number {
  // biome-ignore lint/plugin: the one place.
  return Date.now();
}

/** The same in whole seconds, as tokens and rows have it. */
export function machineTimeSec(): number {
  return Math.floor(machineTimeMs() / 1000);
}

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
