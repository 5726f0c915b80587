import { setImmediate } from "node:timers/promises";
import { LOOP_SLICE_MS } from "../limits.ts";

/** Names handled between two reads of the clock. */
const RUN_LENGTH = 1024;

/** The length of a slice, and the signal that ends the work. */
interface SliceOptions {
  sliceMs?: number;
  signal?: AbortSignal | undefined;
}

/** Splits long work into slices, so that it does not block its thread for long. */
export class Slices {
  readonly #sliceMs: number;
  readonly #signal: AbortSignal | undefined;
  // The real clock, also in tests: it measures how long this thread was busy.
  #startedAt = performance.now();
  #steps = 0;

  constructor({ sliceMs = LOOP_SLICE_MS, signal }: SliceOptions = {}) {
    this.#sliceMs = sliceMs;
    this.#signal = signal;
  }

  /** Called for every name: returns a pause at the end of a slice, and costs almost nothing otherwise. */
  step(): Promise<void> | undefined {
    this.#steps += 1;
    return this.#steps % RUN_LENGTH === 0 ? this.rest() : undefined;
  }

  /** Returns a pause at the end of a slice. @throws the signal's reason, also from the pause. */
  rest(): Promise<void> | undefined {
    this.#signal?.throwIfAborted();
    return performance.now() - this.#startedAt < this.#sliceMs ? undefined : this.#pause();
  }

  /** Completes a long computation that yields where it can pause. */
  async finish<Result>(work: Generator<void, Result>): Promise<Result> {
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      await this.rest();
    }
  }

  async #pause(): Promise<void> {
    await setImmediate();
    this.#startedAt = performance.now();
    this.#signal?.throwIfAborted();
  }
}

/** Sorts like `toSorted`: runs are sorted at once and merged in slices. */
export async function sortInSlices<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Promise<Item[]> {
  if (items.length <= RUN_LENGTH) return items.toSorted(compare);
  const slices = new Slices();
  let runs: Item[][] = [];
  for (let at = 0; at < items.length; at += RUN_LENGTH) {
    runs.push(items.slice(at, at + RUN_LENGTH).sort(compare));
    await slices.rest();
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare, slices));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<Item>(
  left: Item[],
  right: Item[],
  compare: (one: Item, other: Item) => number,
  slices: Slices,
): Promise<Item[]> {
  const merged: Item[] = [];
  let [l, r] = [0, 0];
  while (l < left.length && r < right.length) {
    const [one, other] = [left[l] as Item, right[r] as Item];
    if (compare(one, other) <= 0) {
      merged.push(one);
      l += 1;
    } else {
      merged.push(other);
      r += 1;
    }
    const pause = slices.step();
    if (pause) await pause;
  }
  return merged.concat(left.slice(l), right.slice(r));
}
