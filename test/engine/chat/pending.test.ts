import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { PendingReplies } from "../../../engine/chat/pending.ts";
import { TestClock } from "../../support/time.ts";

describe("pending replies", () => {
  it("resolve once, and only what is waited for", async () => {
    const pending = new PendingReplies<string>();
    const { signal } = new AbortController();
    const reply = pending.wait("a", { signal });
    assert.equal(pending.resolve("b", "x"), false);
    assert.equal(pending.resolve("a", "yes"), true);
    assert.equal(pending.resolve("a", "no"), false);
    assert.equal(await reply, "yes");
    assert.equal(pending.size, 0);
  });

  it("end with the reason of the signal, all of them, and leave no timer", async () => {
    const clock = new TestClock();
    const pending = new PendingReplies<string>();
    const stop = new AbortController();
    const timeout = { ms: 1_000, timers: clock };
    const waits = ["a", "b"].map((id) => pending.wait(id, { signal: stop.signal, timeout }));
    stop.abort(new Error("stopped"));
    for (const wait of waits) await assert.rejects(wait, /stopped/);
    assert.equal(pending.size, 0);
    assert.equal(clock.pendingTimers, 0);
    assert.equal(pending.resolve("a", "late"), false);
    await assert.rejects(pending.wait("c", { signal: stop.signal }), /stopped/);
    assert.equal(pending.size, 0);
  });

  it("resolve to undefined at the timeout, not before", async () => {
    const clock = new TestClock();
    const pending = new PendingReplies<string>();
    const { signal } = new AbortController();
    const reply = pending.wait("a", { signal, timeout: { ms: 1_000, timers: clock } });
    clock.advance(999);
    assert.equal(pending.size, 1);
    clock.advance(1);
    assert.equal(await reply, undefined);
    assert.equal(pending.resolve("a", "late"), false);
  });

  it("leave no timer where they are answered in time", async () => {
    const clock = new TestClock();
    const pending = new PendingReplies<string>();
    const { signal } = new AbortController();
    const reply = pending.wait("a", { signal, timeout: { ms: 1_000, timers: clock } });
    pending.resolve("a", "yes");
    assert.equal(await reply, "yes");
    assert.equal(clock.pendingTimers, 0);
  });
});
