// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createDatabase } from "../../../shared/database.ts";
import { migrate } from "../../../shared/migrate.ts";
import { openEmbeddedClient } from "../../../shared/node/embedded-client.ts";
import { migrations } from "../../../signin/db/migrations.generated.ts";
import type { RateLimit } from "../../../signin/limits.ts";
import { deleteEnded } from "../../../signin/operations/store.ts";
import { createDatabaseLimiter } from "../../../signin/rate-limits/database-limiter.ts";
import { createMemoryLimiter } from "../../../signin/rate-limits/memory-limiter.ts";
import {
  createLayeredLimiter,
  type RateLimiter,
} from "../../../signin/rate-limits/rate-limiter.ts";
import { repeats } from "../../support/repeats.ts";
import { TestClock } from "../../support/time.ts";

const LIMIT: RateLimit = { limit: 5, windowSec: 60 };

const take = (limiter: RateLimiter, key: string, limit: RateLimit) =>
  limiter.consume([{ key, ...limit }]);

async function openDatabaseLimiter(clock: TestClock) {
  const client = openEmbeddedClient({ path: ":memory:", pragmas: [] });
  await migrate(client, migrations);
  const db = createDatabase(client);
  return { db, limiter: createDatabaseLimiter(db, clock), close: () => client.close() };
}

const KINDS: [string, (clock: TestClock) => Promise<{ limiter: RateLimiter; close(): void }>][] = [
  ["in the database", openDatabaseLimiter],
  ["in memory", async (clock) => ({ limiter: createMemoryLimiter(clock), close: () => {} })],
];

for (const [name, open] of KINDS) {
  describe(`counting requests ${name}`, () => {
    it("lets five of 50 through that arrive at once", async () => {
      const clock = new TestClock();
      const { limiter, close } = await open(clock);
      const decisions = await Promise.all(
        Array.from({ length: 50 }, () => take(limiter, "key", LIMIT)),
      );
      assert.equal(decisions.filter(({ ok }) => ok).length, 5);
      close();
    });

    it("says when the window is over, and begins a new one then", async () => {
      const clock = new TestClock();
      const { limiter, close } = await open(clock);
      for (let count = 0; count < 5; count += 1) await take(limiter, "key", LIMIT);
      clock.advance(42_000);
      const refused = { ok: false, retryAfterSec: 18 };
      assert.deepEqual(await take(limiter, "key", LIMIT), refused);
      clock.advance(17_000);
      assert.deepEqual(await take(limiter, "key", LIMIT), {
        ...refused,
        retryAfterSec: 1,
      });
      clock.advance(1_000);
      assert.deepEqual(await take(limiter, "key", LIMIT), { ok: true });
      close();
    });

    it("counts in all counters of a request, or in none where one is full", async () => {
      const clock = new TestClock();
      const { limiter, close } = await open(clock);
      const counters = (client: string) => [
        { key: client, limit: 2, windowSec: 60 },
        { key: "network", limit: 3, windowSec: 600 },
      ];
      const ask = async (client: string) => (await limiter.consume(counters(client))).ok;
      assert.deepEqual([await ask("a"), await ask("a")], [true, true]);
      for (let at = 0; at < 10; at += 1) assert.equal(await ask("a"), false);
      assert.equal(await ask("b"), true, "refused requests did not use up the network");
      const refused = await limiter.consume(counters("c"));
      assert.deepEqual(refused, { ok: false, retryAfterSec: 600 });
      clock.advance(600_000);
      assert.equal(await ask("c"), true);
      close();
    });

    it("keeps keys apart, and clears one alone", async () => {
      const clock = new TestClock();
      const { limiter, close } = await open(clock);
      const one: RateLimit = { limit: 1, windowSec: 60 };
      assert.equal((await take(limiter, "a", one)).ok, true);
      assert.equal((await take(limiter, "b", one)).ok, true);
      assert.equal((await take(limiter, "a", one)).ok, false);
      await limiter.clear({ key: "a", ...one });
      assert.equal((await take(limiter, "a", one)).ok, true);
      assert.equal((await take(limiter, "b", one)).ok, false);
      close();
    });

    it("never lets more than the limit through in a window, whatever the times", async () => {
      const steps = fc.array(fc.nat({ max: 40 }), { maxLength: 60 });
      await fc.assert(
        fc.asyncProperty(steps, async (waits) => {
          const clock = new TestClock();
          const { limiter, close } = await open(clock);
          let windowStart = 0;
          let passed = 0;
          let now = 0;
          for (const [at, wait] of waits.entries()) {
            now += wait;
            clock.advance(wait * 1000);
            if (at === 0 || now >= windowStart + LIMIT.windowSec) {
              windowStart = now;
              passed = 0;
            }
            const { ok } = await take(limiter, "key", LIMIT);
            assert.equal(ok, passed < LIMIT.limit);
            if (ok) passed += 1;
          }
          close();
        }),
        { numRuns: repeats({ once: 8, long: 400 }) },
      );
    });
  });
}

describe("the counters of a process", () => {
  it("give up the oldest window rather than grow without end", async () => {
    const limiter = createMemoryLimiter(new TestClock());
    const one: RateLimit = { limit: 1, windowSec: 60 };
    await take(limiter, "first", one);
    for (let at = 0; at < 100_000; at += 1) await take(limiter, `key ${at}`, one);
    assert.equal((await take(limiter, "first", one)).ok, true, "forgotten");
    assert.equal((await take(limiter, "key 99999", one)).ok, false, "remembered");
  });

  it("are not flushed by requests under many other keys", async () => {
    const limiter = createMemoryLimiter(new TestClock());
    for (let count = 0; count < 6; count += 1) await take(limiter, "attacker", LIMIT);
    for (let at = 0; at < 110_000; at += 1) await take(limiter, `key ${at}`, LIMIT);
    assert.equal((await take(limiter, "attacker", LIMIT)).ok, false);
  });

  it("make room for new ones once their windows are over, whatever they counted", async () => {
    const clock = new TestClock();
    const limiter = createMemoryLimiter(clock);
    for (let at = 0; at < 100_000; at += 1) {
      await take(limiter, `old ${at}`, LIMIT);
      await take(limiter, `old ${at}`, LIMIT);
    }
    clock.advance(60_000);
    for (let at = 0; at < 30_000; at += 1) await take(limiter, `new ${at}`, LIMIT);
    for (let count = 0; count < 4; count += 1) await take(limiter, "new 0", LIMIT);
    assert.equal((await take(limiter, "new 0", LIMIT)).ok, false, "its first request counts");
  });
});

describe("a refused request", () => {
  it("writes nothing", async () => {
    const clock = new TestClock();
    const { db, limiter, close } = await openDatabaseLimiter(clock);
    for (let at = 0; at < LIMIT.limit; at += 1) await take(limiter, "key", LIMIT);
    const changes = async () =>
      (await db.$client.execute("SELECT total_changes() AS n")).rows[0]?.n;
    const before = await changes();
    for (let at = 0; at < 20; at += 1) await take(limiter, "key", LIMIT);
    assert.equal(await changes(), before);
    close();
  });
});

describe("counters in two layers", () => {
  it("keep what guards passwords in the database, the rest in memory", async () => {
    const asked: string[] = [];
    const named = (layer: string): RateLimiter => ({
      consume: async ([counter]) => {
        asked.push(`${layer} ${counter?.key}`);
        return { ok: true };
      },
      clear: async ({ key }) => void asked.push(`${layer} clear ${key}`),
    });
    const limiter = createLayeredLimiter({
      durable: named("durable"),
      transient: named("transient"),
    });
    const durable = { ...LIMIT, durable: true };
    await take(limiter, "a", durable);
    await take(limiter, "b", LIMIT);
    await limiter.clear({ key: "a", ...durable });
    assert.deepEqual(asked, ["durable a", "transient b", "durable clear a"]);
  });
});

describe("counters whose window is over", () => {
  it("are deleted in bounded steps, those that still count are not", async () => {
    const clock = new TestClock();
    const { db, limiter, close } = await openDatabaseLimiter(clock);
    for (let at = 0; at < 5; at += 1) await take(limiter, `old ${at}`, LIMIT);
    clock.advance(100_000);
    await take(limiter, "new", LIMIT);
    const before = Math.floor(clock.now() / 1000) - 60;
    assert.equal(await deleteEnded(db, "rate_limits", { before, limit: 3 }), 3);
    assert.equal(await deleteEnded(db, "rate_limits", { before, limit: 3 }), 2);
    assert.equal(await deleteEnded(db, "rate_limits", { before, limit: 3 }), 0);
    const { rows } = await db.$client.execute("SELECT k FROM rate_limits");
    assert.deepEqual(
      rows.map(({ k }) => k),
      ["new"],
    );
    close();
  });
});
