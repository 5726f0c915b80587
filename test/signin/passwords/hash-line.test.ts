import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFairLine } from "../../../signin/passwords/hash-line.ts";
import { HasherBusy } from "../../../signin/passwords/hasher.ts";
import { createPacedLine } from "../../../signin/passwords/paced-line.ts";
import { TestClock } from "../../support/clock.ts";

/** Lets everything go on that can. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Work that ends when the test says so; `begun` has the names in their order. */
function createWork() {
  const begun: string[] = [];
  const open: (() => void)[] = [];
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((resolve) => open.push(resolve));
  };
  return { begun, work, finishOne: () => open.shift()?.() };
}

describe("the line of hashes", () => {
  it("lets networks take turns, however many requests one of them has", async () => {
    const { begun, work, finishOne } = createWork();
    const line = createFairLine({ atOnceMax: 1, waitingMax: 64 });
    const all = [];
    for (let at = 0; at < 5; at += 1) all.push(line.run("flood", work(`flood ${at}`)));
    all.push(line.run("victim", work("victim")), line.run("other", work("other")));
    for (let at = 0; at < all.length; at += 1) {
      await turn();
      finishOne();
    }
    await Promise.all(all);
    assert.deepEqual(begun, [
      "flood 0",
      "flood 1",
      "victim",
      "other",
      "flood 2",
      "flood 3",
      "flood 4",
    ]);
  });

  it("is never full for a network that has no request in it, while another one has many", async () => {
    const { begun, work, finishOne } = createWork();
    const line = createFairLine({ atOnceMax: 1, waitingMax: 8 });
    const flood = Array.from({ length: 9 }, (_, at) => line.run("flood", work(`flood ${at}`)));
    const last = assert.rejects(flood[8] ?? Promise.resolve(), HasherBusy);
    await assert.rejects(line.run("flood", work("too many")), HasherBusy);
    const victim = line.run("victim", work("victim"));
    await last;
    for (let at = 0; at < 9; at += 1) {
      await turn();
      finishOne();
    }
    await Promise.all([...flood.slice(0, 8), victim]);
    assert.equal(begun.indexOf("victim"), 2);
  });

  it("refuses one more network where each has one place", async () => {
    const { work, finishOne } = createWork();
    const line = createFairLine({ atOnceMax: 1, waitingMax: 2 });
    const all = ["a", "b", "c"].map((network) => line.run(network, work(network)));
    await assert.rejects(line.run("d", work("d")), HasherBusy);
    for (let at = 0; at < 3; at += 1) {
      await turn();
      finishOne();
    }
    await Promise.all(all);
  });
});

describe("the paced line of an isolate", () => {
  const create = () => {
    const clock = new TestClock();
    const begun: string[] = [];
    const line = createPacedLine({
      clock,
      timers: clock,
      intervalMs: 400,
      waitingMax: 3,
      waitingPerNetworkMax: 2,
    });
    const run = (network: string, name: string) =>
      line.run(network, async () => void begun.push(`${name} ${clock.now() - start}`));
    const start = clock.now();
    return { clock, begun, run };
  };

  it("begins hashes at intervals, and the first one at once", async () => {
    const { clock, begun, run } = create();
    const all = [run("a", "one"), run("a", "two"), run("b", "three")];
    await turn();
    assert.deepEqual(begun, ["one 0"]);
    clock.advance(399);
    await turn();
    assert.equal(begun.length, 1);
    clock.advance(1);
    await turn();
    clock.advance(400);
    await Promise.all(all);
    assert.deepEqual(begun, ["one 0", "two 400", "three 800"]);
    clock.advance(1_000);
    await run("a", "four");
    assert.equal(begun.at(-1), "four 1800", "an idle isolate does not wait");
  });

  it("refuses where too many wait, and those of one network sooner", async () => {
    const { clock, run } = create();
    const all = [run("a", "one"), run("a", "two"), run("a", "three")];
    await assert.rejects(run("a", "four"), HasherBusy);
    all.push(run("b", "five"));
    await assert.rejects(run("c", "six"), HasherBusy);
    clock.advance(1_200);
    await Promise.all(all);
    const free = run("a", "seven");
    clock.advance(400);
    await free;
  });

  it("goes on after requests that were cancelled while they waited", async () => {
    const { clock, begun, run } = create();
    void run("a", "one");
    // What a cancelled request leaves behind: a booked time, and no call.
    const cancelled = createPacedLine({
      clock,
      timers: { after: () => () => {} },
      intervalMs: 400,
      waitingMax: 1,
      waitingPerNetworkMax: 1,
    });
    await cancelled.run("a", async () => {});
    void cancelled.run("a", async () => {});
    await assert.rejects(
      cancelled.run("a", async () => {}),
      HasherBusy,
    );
    clock.advance(1_000);
    await cancelled.run("a", async () => void begun.push("after"));
    assert.equal(begun.at(-1), "after");
  });
});
