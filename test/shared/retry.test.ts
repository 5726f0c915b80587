import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { retry } from "../../shared/retry.ts";
import { TestClock } from "../support/time.ts";

const WAIT_MS = 1_000;

/** An action that fails `failures` times, and what `retry` does with it. */
function start(failures: number, waitMs: (attempt: number) => number | undefined) {
  const timers = new TestClock();
  const abort = new AbortController();
  let attempts = 0;
  const send = async () => {
    attempts += 1;
    if (attempts <= failures) throw new Error(`failure ${attempts}`);
    return `answer ${attempts}`;
  };
  const done = retry(send, {
    timers,
    signal: abort.signal,
    waitMs: (_, attempt) => waitMs(attempt),
  });
  return { timers, abort, done, attempts: () => attempts };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("retry", () => {
  it("repeats the action after each wait until it succeeds", async () => {
    const run = start(2, (attempt) => attempt * WAIT_MS);
    await settled();
    assert.equal(run.attempts(), 1);
    run.timers.advance(WAIT_MS);
    await settled();
    run.timers.advance(2 * WAIT_MS - 1);
    await settled();
    assert.equal(run.attempts(), 2);
    run.timers.advance(1);
    assert.equal(await run.done, "answer 3");
  });

  it("throws the last error where no wait is given", async () => {
    const run = start(5, () => undefined);
    await assert.rejects(run.done, /^Error: failure 1$/);
    assert.equal(run.attempts(), 1);
  });

  it("throws the signal's reason during a wait, and sends nothing more", async () => {
    const run = start(5, () => WAIT_MS);
    await settled();
    run.abort.abort(new Error("stopped"));
    await assert.rejects(run.done, /^Error: stopped$/);
    run.timers.advance(WAIT_MS);
    await settled();
    assert.equal(run.attempts(), 1);
  });
});
