import { setImmediate } from "node:timers/promises";
import { LOOP_SLICE_MS } from "../limits.ts";

/** Names handled between two looks at the time. */
const RUN_LENGTH = 1024;

/** Work on many names, done in slices so that the event loop is never held for long. */
export class Slices {
  // The real clock on purpose: what is measured is how long this very process was busy.
  #startedAt = performance.now();
  #steps = 0;

  /** Called for every name; waits where the slice is over, and costs next to nothing otherwise. */
  step(): Promise<void> | undefined {
    this.#steps += 1;
    return this.#steps % RUN_LENGTH === 0 ? this.rest() : undefined;
  }

  /** Lets others go first where the slice is over. */
  rest(): Promise<void> | undefined {
    return performance.now() - this.#startedAt < LOOP_SLICE_MS ? undefined : this.#pause();
  }

  async #pause(): Promise<void> {
    await setImmediate();
    this.#startedAt = performance.now();
  }
}

/** Sorts as `toSorted` does: runs are sorted at once and merged in slices. */
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
