import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, it } from "node:test";
import { untilAborted } from "../../engine/until-aborted.ts";

describe("work that is waited for until a signal", () => {
  it("comes to its own outcome where nothing stops it, and leaves no listener", async () => {
    const { signal } = new AbortController();
    assert.equal(await untilAborted(signal, Promise.resolve(7)), 7);
    await assert.rejects(untilAborted(signal, Promise.reject(new Error("own"))), /own/);
    await new Promise(setImmediate);
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });

  it("ends with the reason as soon as it is aborted, though the work goes on", async () => {
    const stop = new AbortController();
    const waiting = untilAborted(stop.signal, new Promise(() => {}));
    stop.abort(new Error("stopped"));
    await assert.rejects(waiting, /stopped/);
  });

  it("ends at once where the signal is aborted already, and drops what the work comes to", async () => {
    const signal = AbortSignal.abort(new Error("stopped"));
    await assert.rejects(untilAborted(signal, new Promise(() => {})), /stopped/);
    await assert.rejects(untilAborted(signal, Promise.reject(new Error("late"))), /stopped/);
    await new Promise(setImmediate);
  });
});
