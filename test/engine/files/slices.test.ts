import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Slices, sortInSlices } from "../../../engine/files/slices.ts";

const byKey = (one: { key: number }, other: { key: number }) => one.key - other.key;

describe("sorting in slices", () => {
  it("sorts like toSorted, equal items in their order", async () => {
    const keys = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 5_000, size: "max" });
    await fc.assert(
      fc.asyncProperty(keys, async (keys) => {
        const items = keys.map((key, at) => ({ key, at }));
        assert.deepEqual(await sortInSlices(items, byKey), items.toSorted(byKey));
      }),
      { numRuns: 30 },
    );
  });

  it("does not change its input", async () => {
    const items = Array.from({ length: 3_000 }, (_, at) => ({ key: -at }));
    const copy = [...items];
    await sortInSlices(items, byKey);
    assert.deepEqual(items, copy);
  });
});

it("work on many names yields to the event loop", async () => {
  let turns = 0;
  let running = true;
  const turn = () => {
    turns += 1;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  const slices = new Slices();
  for (let at = 0; at < 30_000_000 && turns < 2; at += 1) {
    const pause = slices.step();
    if (pause) await pause;
  }
  running = false;
  assert.ok(turns > 1, `${turns} turns`);
});
