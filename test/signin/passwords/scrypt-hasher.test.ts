// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { SCRYPT_LOG_N, SCRYPT_P, SCRYPT_R } from "../../../signin/limits.ts";
import { createFairQueue } from "../../../signin/passwords/hash-queue.ts";
import { HasherBusy } from "../../../signin/passwords/hasher.ts";
import { deriveWithScrypt } from "../../../signin/passwords/scrypt.ts";
import { createScryptHasher, type DeriveKey } from "../../../signin/passwords/scrypt-hasher.ts";

const CHEAP = { log2Cost: 4, blockSize: 8, parallelism: 1 };

function createCheap(parameters = CHEAP) {
  return createScryptHasher({
    derive: deriveWithScrypt,
    parameters,
    queue: createFairQueue({ atOnceMax: 4, waitingMax: 100 }),
  });
}

describe("password hashes", () => {
  it("have the agreed form and cost, and match their password", async () => {
    const hasher = createScryptHasher({
      derive: deriveWithScrypt,
      queue: createFairQueue({ atOnceMax: 1, waitingMax: 1 }),
    });
    const stored = await hasher.hash("a long enough phrase");
    assert.match(stored, /^\$scrypt\$ln=14,r=8,p=5\$[A-Za-z0-9_-]{22}\$[A-Za-z0-9_-]{43}$/);
    const same = await hasher.verify("a long enough phrase", stored);
    assert.deepEqual(same, { matches: true, outdated: false });
  });

  it("are scrypt as RFC 7914 defines it", async () => {
    const text = (value: string) => new TextEncoder().encode(value);
    const key = await deriveWithScrypt(text("password"), text("NaCl"), {
      log2Cost: 10,
      blockSize: 8,
      parallelism: 16,
    });
    // The first half of the second test vector of section 12.
    assert.equal(
      Buffer.from(key).toString("hex"),
      "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162",
    );
  });

  it("match exactly one text", async () => {
    const hasher = createCheap();
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme", minLength: 1 }),
        fc.string({ unit: "grapheme", minLength: 1 }),
        async (one, other) => {
          const stored = await hasher.hash(one);
          assert.equal((await hasher.verify(one, stored)).matches, true);
          assert.equal((await hasher.verify(other, stored)).matches, one === other);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("differ for one password: each has its own salt", async () => {
    const hasher = createCheap();
    assert.notEqual(await hasher.hash("the same"), await hasher.hash("the same"));
  });

  it("of other parameters still match, and are reported as outdated", async () => {
    const stored = await createCheap({ ...CHEAP, parallelism: 2 }).hash("a phrase");
    const hasher = createCheap();
    assert.deepEqual(await hasher.verify("a phrase", stored), { matches: true, outdated: true });
    const wrong = await hasher.verify("another", stored);
    assert.deepEqual(wrong, { matches: false, outdated: false });
  });

  const salt = "AAAAAAAAAAAAAAAAAAAAAA";
  const key = "A".repeat(43);
  for (const stored of [
    "",
    "plain",
    "$scrypt$",
    `$scrypt$ln=4,r=8,p=1$${salt}$`,
    `$scrypt$ln=4,r=8,p=1$${salt}$${key}A`,
    `$scrypt$ln=0,r=8,p=1$${salt}$${key}`,
    `$scrypt$ln=40,r=8,p=1$${salt}$${key}`,
    `$scrypt$ln=20,r=8,p=1$${salt}$${key}`,
    `$scrypt$ln=4,r=0,p=1$${salt}$${key}`,
    `$scrypt$ln=4,r=8,p=99$${salt}$${key}`,
    `$scrypt$ln=4,r=8,p=1$not base64!$${key}`,
    `$argon2id$ln=4,r=8,p=1$${salt}$${key}`,
  ]) {
    it(`never match where the row is ${JSON.stringify(stored)}, at the usual cost`, async () => {
      const costs: unknown[] = [];
      const derive: DeriveKey = async (_password, _salt, cost) => {
        costs.push({ ...cost });
        return new Uint8Array(32);
      };
      const hasher = createScryptHasher({
        derive,
        queue: createFairQueue({ atOnceMax: 1, waitingMax: 1 }),
      });
      const { matches } = await hasher.verify("anything", stored);
      assert.equal(matches, false);
      assert.deepEqual(costs, [
        { log2Cost: SCRYPT_LOG_N, blockSize: SCRYPT_R, parallelism: SCRYPT_P },
      ]);
    });
  }
});

/** A derivation that ends when the test says so. */
function createGate() {
  const running: PromiseWithResolvers<Uint8Array>[] = [];
  let most = 0;
  const derive: DeriveKey = async () => {
    const work = Promise.withResolvers<Uint8Array>();
    running.push(work);
    most = Math.max(most, running.length);
    try {
      return await work.promise;
    } finally {
      running.splice(running.indexOf(work), 1);
    }
  };
  return {
    derive,
    running,
    most: () => most,
    finishOne: () => running[0]?.resolve(new Uint8Array(32)),
  };
}

/** Lets everything go on that can. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("hashing at once", () => {
  it("never exceeds its bound, serves in order, and refuses whom the queue has no place for", async () => {
    const gate = createGate();
    const hasher = createScryptHasher({
      derive: gate.derive,
      queue: createFairQueue({ atOnceMax: 2, waitingMax: 4 }),
    });
    const done: number[] = [];
    const works = [0, 1, 2, 3, 4].map(async (at) => {
      await hasher.hash(`password ${at}`);
      done.push(at);
    });
    await turn();
    assert.equal(gate.running.length, 2);
    await assert.rejects(hasher.hash("one too many"), HasherBusy);
    await assert.rejects(hasher.verify("one too many", ""), HasherBusy);
    for (let count = 0; count < 5; count += 1) {
      gate.finishOne();
      await turn();
    }
    await Promise.all(works);
    assert.deepEqual(done, [0, 1, 2, 3, 4]);
    assert.equal(gate.most(), 2);
    assert.equal(gate.running.length, 0);
  });

  it("goes on after a hash that failed", async () => {
    const gate = createGate();
    const hasher = createScryptHasher({
      derive: gate.derive,
      queue: createFairQueue({ atOnceMax: 1, waitingMax: 1 }),
    });
    const failing = hasher.hash("first");
    const waiting = hasher.hash("second");
    await turn();
    gate.running[0]?.reject(new Error("out of memory"));
    await assert.rejects(failing, /out of memory/);
    await turn();
    gate.finishOne();
    await waiting;
    assert.equal(gate.running.length, 0);
  });

  it("leaves the event loop alone", async () => {
    const hasher = createScryptHasher({
      derive: deriveWithScrypt,
      queue: createFairQueue({ atOnceMax: 4, waitingMax: 4 }),
    });
    let turns = 0;
    let isDone = false;
    const work = hasher.hash("a long enough phrase").then(() => {
      isDone = true;
    });
    while (!isDone) {
      await turn();
      turns += 1;
    }
    await work;
    assert.ok(turns > 10, `the loop turned ${turns} times meanwhile`);
  });
});
