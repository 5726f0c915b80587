import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Timers } from "../../../shared/clock.ts";
import { createFairQueue, createThrottledQueue } from "../../../signin/passwords/hash-queue.ts";
import { HasherBusy } from "../../../signin/passwords/hasher.ts";
import { TestClock } from "../../support/time.ts";

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

describe("the queue of hashes", () => {
  it("lets networks take turns, however many requests one of them has", async () => {
    const { begun, work, finishOne } = createWork();
    const queue = createFairQueue({ atOnceMax: 1, waitingMax: 64 });
    const all = [];
    for (let at = 0; at < 5; at += 1)
      all.push(queue.run({ network: "flood" }, work(`flood ${at}`)));
    all.push(
      queue.run({ network: "victim" }, work("victim")),
      queue.run({ network: "other" }, work("other")),
    );
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
    const queue = createFairQueue({ atOnceMax: 1, waitingMax: 8 });
    const flood = Array.from({ length: 7 }, (_, at) =>
      queue.run({ network: "flood" }, work(`flood ${at}`)),
    );
    const last = assert.rejects(flood[6] ?? Promise.resolve(), HasherBusy);
    await assert.rejects(queue.run({ network: "flood" }, work("too many")), HasherBusy);
    const victim = queue.run({ network: "victim" }, work("victim"));
    await last;
    for (let at = 0; at < 7; at += 1) {
      await turn();
      finishOne();
    }
    await Promise.all([...flood.slice(0, 6), victim]);
    assert.equal(begun.indexOf("victim"), 2);
  });

  it("keeps a third of its places, and every third turn, for networks that the account is known in", async () => {
    const { begun, work, finishOne } = createWork();
    const queue = createFairQueue({ atOnceMax: 1, waitingMax: 9 });
    const strangers = Array.from({ length: 7 }, (_, at) =>
      queue.run({ network: `stranger ${at}` }, work(`stranger ${at}`)),
    );
    await assert.rejects(queue.run({ network: "one more" }, work("one more")), HasherBusy);
    const owners = ["home", "office", "train"].map((network) =>
      queue.run({ network, isKnown: true }, work(network)),
    );
    const busy = queue.run({ network: "cafe", isKnown: true }, work("cafe"));
    await assert.rejects(busy, HasherBusy);
    for (let at = 0; at < 10; at += 1) {
      await turn();
      finishOne();
    }
    await Promise.all([...strangers, ...owners]);
    assert.deepEqual(
      ["home", "office", "train"].map((name) => begun.indexOf(name)),
      [3, 6, 9],
    );
  });

  it("refuses one more network where each has one place", async () => {
    const { work, finishOne } = createWork();
    const queue = createFairQueue({ atOnceMax: 1, waitingMax: 2 });
    const all = ["a", "b", "c"].map((network) => queue.run({ network }, work(network)));
    await assert.rejects(queue.run({ network: "d" }, work("d")), HasherBusy);
    for (let at = 0; at < 3; at += 1) {
      await turn();
      finishOne();
    }
    await Promise.all(all);
  });
});

describe("the throttled queue of an isolate", () => {
  const create = (timers?: Timers) => {
    const clock = new TestClock();
    const start = clock.now();
    const begun: string[] = [];
    const queue = createThrottledQueue({
      clock,
      timers: timers ?? clock,
      intervalMs: 400,
      restMs: 200,
      waitingMax: 4,
      waitingPerNetworkMax: 2,
      waitMsMax: 5_000,
    });
    /** A hash that takes `costMs` of the clock. */
    const run = (network: string, name: string, costMs = 0) =>
      queue.run({ network, isKnown: network === "known" }, async () => {
        begun.push(`${name} ${clock.now() - start}`);
        clock.advance(costMs);
      });
    /** Moves the clock in small steps, so that each waiting request sees its time. */
    const pass = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 50) {
        clock.advance(50);
        await turn();
      }
    };
    return { clock, begun, run, pass };
  };

  it("begins the first hash at once, and others at intervals in their order", async () => {
    const { begun, run, pass } = create();
    const all = [run("a", "one"), run("a", "two"), run("b", "three")];
    await turn();
    assert.deepEqual(begun, ["one 0"]);
    await pass(1_000);
    await Promise.all(all);
    assert.deepEqual(begun, ["one 0", "two 400", "three 800"]);
    await pass(1_000);
    await run("a", "four");
    assert.equal(begun.at(-1), "four 2000", "an idle isolate does not wait");
  });

  it("rests after a hash that took longer than the interval", async () => {
    const { begun, run, pass } = create();
    const all = [run("a", "one", 700), run("b", "two")];
    await turn();
    await pass(1_000);
    await Promise.all(all);
    assert.deepEqual(begun, ["one 0", "two 900"]);
  });

  it("refuses where too many wait, and those of one network sooner", async () => {
    const { run, pass } = create();
    const all = [run("a", "one"), run("a", "two"), run("a", "three")];
    await assert.rejects(run("a", "four"), HasherBusy);
    all.push(run("b", "five"));
    await assert.rejects(run("c", "six"), HasherBusy);
    await pass(2_000);
    await Promise.all(all);
    await run("a", "seven");
  });

  it("keeps a place for a network that the account is known in", async () => {
    const { run, pass } = create();
    const all = ["a", "a", "b", "c"].map((network) => run(network, "stranger"));
    await assert.rejects(run("d", "stranger"), HasherBusy);
    all.push(run("known", "owner"));
    await pass(2_000);
    await Promise.all(all);
  });

  it("goes on after requests that were cancelled while they waited", async () => {
    // The timer of a cancelled request never fires.
    const { begun, run, clock } = create({ after: () => () => {} });
    await run("a", "one");
    void run("a", "two");
    void run("a", "three");
    await assert.rejects(run("a", "four"), HasherBusy);
    clock.advance(5_000);
    await run("a", "five");
    assert.deepEqual(begun, ["one 0", "five 5000"]);
  });
});
