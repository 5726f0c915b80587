/** The time, as a dependency: tests hand in one that they move themselves. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Timers, as a dependency: tests fire them by moving their own clock. */
export interface Timers {
  /** Runs once after `delayMs`; returns what calls it off. */
  after(delayMs: number, run: () => void): () => void;
}

export const systemTimers: Timers = {
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

/** ISO-8601 UTC with milliseconds and `Z`: the only form in which a time travels (Engine §2, wire conventions 4). */
export function toIsoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
