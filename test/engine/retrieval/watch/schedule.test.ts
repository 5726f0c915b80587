import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { WatchSchedule } from "../../../../engine/retrieval/watch/schedule.ts";

const QUIET_MS = 2_000;
const BUSY_MS = 10_000;
const LATEST_MS = 35_000;

/** Changes at these moments, and runs that each take `tookMs`: when the runs begin. */
function beginningsOf(changesMs: readonly number[], tookMs: number): number[] {
  const schedule = new WatchSchedule();
  const begun: number[] = [];
  let endsMs = Number.POSITIVE_INFINITY;
  const changes = [...changesMs];
  for (;;) {
    const nextMs = changes[0] ?? Number.POSITIVE_INFINITY;
    const dueMs = schedule.dueMs ?? Number.POSITIVE_INFINITY;
    const nowMs = Math.min(nextMs, dueMs, endsMs);
    if (nowMs === Number.POSITIVE_INFINITY) return begun;
    if (nowMs === endsMs) {
      schedule.end(nowMs);
      endsMs = Number.POSITIVE_INFINITY;
    } else if (nowMs === nextMs) {
      schedule.change(nowMs);
      changes.shift();
    } else {
      schedule.begin(nowMs);
      begun.push(nowMs);
      endsMs = nowMs + tookMs;
    }
  }
}

function every(stepMs: number, untilMs: number): number[] {
  return Array.from({ length: Math.floor(untilMs / stepMs) + 1 }, (_, at) => at * stepMs);
}

describe("A watched root is indexed", () => {
  const cases: [string, number[], number, number[]][] = [
    ["2 s after a change", [0], 100, [2_000]],
    ["once for many changes at once", Array(2_000).fill(0), 100, [2_000]],
    ["2 s after the last of some changes", [0, 1_500, 3_000], 100, [5_000]],
    ["not without a change", [], 100, []],
    ["every 10 s while changes go on", every(500, 30_000), 100, [10_000, 20_500, 31_000]],
    ["again for a change during a run", [0, 2_100], 1_000, [2_000, 4_100]],
    ["after a rest as long as the run", every(500, 40_000), 15_000, [10_000, 40_000]],
    ["every 35 s where a run takes 30 s", every(500, 60_000), 30_000, [10_000, 45_000, 80_000]],
    ["2 s after a run of more than 35 s", every(500, 60_000), 40_000, [10_000, 52_000, 94_000]],
  ];
  for (const [what, changesMs, tookMs, expected] of cases) {
    it(what, () => assert.deepEqual(beginningsOf(changesMs, tookMs), expected));
  }

  it("at once on demand, but for the rest after a run", () => {
    const schedule = new WatchSchedule();
    schedule.demand();
    assert.ok((schedule.dueMs ?? 0) < 0);
    schedule.begin(0);
    schedule.demand();
    assert.equal(schedule.dueMs, undefined);
    schedule.end(5_000);
    assert.equal(schedule.dueMs, 10_000);
  });

  it("whatever changes when: soon enough, seldom enough, and never after the last change was seen", () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 15_000 }), { maxLength: 60 });
    const took = fc.integer({ min: 0, max: 60_000 });
    fc.assert(
      fc.property(gaps, took, (gapsMs, tookMs) => {
        let nowMs = 0;
        const changesMs = gapsMs.map((gapMs) => {
          nowMs += gapMs;
          return nowMs;
        });
        const begun = beginningsOf(changesMs, tookMs);
        begun.forEach((beganMs, at) => {
          const before = begun[at - 1] ?? Number.NEGATIVE_INFINITY;
          const seen = changesMs.filter((ms) => ms <= beganMs && ms > before);
          assert.ok(seen.length > 0 || changesMs.includes(before), "a run has a change to see");
          assert.ok(beganMs >= before + tookMs, "one run at a time");
          const lastMs = Math.max(...seen);
          if (beganMs - lastMs < QUIET_MS && beganMs > before + 2 * tookMs) {
            assert.ok(beganMs - before >= BUSY_MS, "while busy at most every 10 s");
          }
          const firstMs = Math.min(...seen);
          const latestMs = Math.max(firstMs, before) + Math.max(LATEST_MS, tookMs + QUIET_MS);
          assert.ok(beganMs <= latestMs, "a busy root at least every 35 s");
        });
        const last = changesMs.at(-1);
        if (last !== undefined) assert.ok((begun.at(-1) ?? -1) >= last, "every change is seen");
        assert.ok(begun.length <= changesMs.length);
      }),
    );
  });
});
