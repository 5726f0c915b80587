import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Timers } from "../../../shared/clock.ts";
import { startDailyCleanup } from "../../../signin/operations/daily-cleanup.ts";
import { createSigninWithUsers } from "../../support/signin/users.ts";

/** Timers that the test fires; `due` lets it wait for the next one to be set. */
function createTimers() {
  const set: { delayMs: number; run: () => void; isOff: boolean }[] = [];
  let due = Promise.withResolvers<void>();
  const timers: Timers = {
    after(delayMs, run) {
      const entry = { delayMs, run, isOff: false };
      set.push(entry);
      due.resolve();
      due = Promise.withResolvers();
      return () => {
        entry.isOff = true;
      };
    },
  };
  return { timers, set, due: () => due.promise };
}

describe("the daily cleanup", () => {
  it("runs a minute after the start and then once a day", async () => {
    await using signin = await createSigninWithUsers();
    const { clock, log } = signin.deps;
    const { timers, set, due } = createTimers();
    const record = () =>
      signin.deps.openAudit(signin.db).record({ type: "login.failure", outcome: "failure" });
    const count = async () => (await signin.rows("SELECT id FROM audit_events")).length;
    await using _ = startDailyCleanup({ db: signin.db, clock, log, timers });
    assert.deepEqual(
      set.map(({ delayMs }) => delayMs),
      [60_000],
    );
    for (const expected of [86_400_000, 86_400_000]) {
      await record();
      clock.advance(91 * 86_400_000);
      const next = due();
      set.at(-1)?.run();
      await next;
      assert.equal(set.at(-1)?.delayMs, expected);
      assert.equal(await count(), 0);
    }
  });

  it("says so when it fails, and tries again the next day", async () => {
    await using signin = await createSigninWithUsers();
    const { clock, log } = signin.deps;
    const { timers, set, due } = createTimers();
    await using _ = startDailyCleanup({ db: signin.db, clock, log, timers });
    await signin.db.$client.execute("ALTER TABLE used_nonces RENAME TO away");
    const next = due();
    set[0]?.run();
    await next;
    assert.ok(signin.logged.some((line) => line.includes("The cleanup failed.")));
    assert.equal(set.length, 2);
  });

  it("ends with its server", async () => {
    await using signin = await createSigninWithUsers();
    const { clock, log } = signin.deps;
    const { timers, set } = createTimers();
    const cleanup = startDailyCleanup({ db: signin.db, clock, log, timers });
    await cleanup[Symbol.asyncDispose]();
    assert.equal(set[0]?.isOff, true);
    set[0]?.run();
    await cleanup[Symbol.asyncDispose]();
    assert.equal(set.length, 1, "nothing is planned any more");
  });
});
