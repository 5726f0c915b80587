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
