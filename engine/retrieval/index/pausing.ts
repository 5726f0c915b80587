import { setImmediate as nextTurn } from "node:timers/promises";

const SLICE_MS = 12;

/** Lets others have a turn: an index run shares its thread with searches. */
export class Pauses {
  readonly #signal: AbortSignal;
  #since = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Waits a turn where the last one is some milliseconds ago. @throws the signal's reason once it is aborted. */
  async pause(): Promise<void> {
    this.#signal.throwIfAborted();
    if (performance.now() - this.#since < SLICE_MS) return;
    await nextTurn();
    this.#since = performance.now();
    this.#signal.throwIfAborted();
  }

  /** Carries out a long computation that offers to pause. */
  async finish<Result>(work: Generator<void, Result>): Promise<Result> {
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      await this.pause();
    }
  }
}
