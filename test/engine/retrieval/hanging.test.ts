// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { RetrievalRoot } from "../../../engine/retrieval/retrieval.ts";
import { silentLogger } from "../../../shared/log.ts";
import { type Files, writeFiles } from "../../support/engine/files.ts";
import { createHangingBench } from "../../support/engine/retrieval.ts";

const HANG_MS = 40_000;
const NONE = { indexed: 0, unchanged: 0, skipped: 0, removed: 0, errors: 0 };

function numbered(count: number, letter: string): Files {
  const entries = Array.from({ length: count }, (_, at) => [
    `${letter}${String(at).padStart(4, "0")}.txt`,
    `zebra ${letter} ${at}`,
  ]);
  return Object.fromEntries(entries);
}

describe("A file at which the indexing thread hangs", () => {
  it("is left out: the run continues after it, and searches are answered meanwhile", async () => {
    await using bench = await createHangingBench([
      { "a.txt": "zebra", "hangs.txt": "okapi", "z.txt": "zebra" },
      { "b.txt": "zebra" },
    ]);
    const { retrieval, clock, roots } = bench;
    const [bad, good] = roots as [RetrievalRoot, RetrievalRoot];
    await retrieval.indexRoot(good);
    const hung = bench.hung();
    const run = retrieval.indexRoot(bad);
    assert.equal(await hung, join(bad.path, "hangs.txt"));
    assert.deepEqual(await bench.find("zebra", 1), ["b.txt"]);
    assert.deepEqual(await bench.find("zebra", 0), []);
    assert.equal((await retrieval.status([bad]))[0]?.progress?.phase, "reading");
    clock.advance(HANG_MS);
    const counts = { unchanged: 0, skipped: 0, removed: 0, errors: 1 };
    assert.deepEqual(await run, { ...counts, indexed: 2 });
    assert.deepEqual(await bench.find("zebra", 0), ["a.txt", "z.txt"]);
    // The next run does not open it again: this one would hang, and no clock would free it.
    assert.deepEqual(await retrieval.indexRoot(bad), { ...counts, indexed: 0, unchanged: 2 });
    assert.equal(clock.pendingTimers, 0);
  });

  it("is retried once it has changed, and its record is deleted with it", async () => {
    await using bench = await createHangingBench([{ "a.txt": "x", "hangs.txt": "okapi" }]);
    const { retrieval, clock, roots } = bench;
    const [root] = roots as [RetrievalRoot];
    for (const content of ["first", "second version"]) {
      writeFiles(root.path, { "hangs.txt": content });
      const hung = bench.hung();
      const run = retrieval.indexRoot(root);
      await hung;
      clock.advance(HANG_MS);
      assert.equal((await run).errors, 1);
    }
    writeFiles(root.path, { "hangs.txt": undefined });
    assert.equal((await retrieval.indexRoot(root)).errors, 0);
  });

  it("loses neither earlier commits nor runs on other roots", async () => {
    await using bench = await createHangingBench([
      { ...numbered(450, "a"), "hangs-1.txt": "x", "hangs-2.txt": "x", ...numbered(50, "z") },
      numbered(300, "b"),
    ]);
    const { retrieval, clock, roots } = bench;
    const [bad, good] = roots as [RetrievalRoot, RetrievalRoot];
    let hung = bench.hung();
    const runs = Promise.all([retrieval.indexRoot(bad), retrieval.indexRoot(good)]);
    for (const name of ["hangs-1.txt", "hangs-2.txt"]) {
      assert.equal(await hung, join(bad.path, name));
      hung = bench.hung();
      clock.advance(HANG_MS);
    }
    const [first, second] = await runs;
    assert.equal(first.indexed + first.unchanged, 500);
    assert.deepEqual([first.errors, first.skipped, first.removed], [2, 0, 0]);
    assert.equal(second.indexed + second.unchanged, 300);
    assert.equal((await bench.find("z", 0)).length, 50);
  });

  it("does not keep the threads from ending", async () => {
    await using bench = await createHangingBench([{ "hangs.txt": "x" }]);
    const hung = bench.hung();
    const run = bench.retrieval.indexRoot(bench.roots[0] as RetrievalRoot);
    const ended = assert.rejects(run, /closed/);
    await hung;
    await bench.retrieval[Symbol.asyncDispose]();
    await ended;
  });

  it("is left out only after 30 s, and is named in the log", async () => {
    const lines: string[] = [];
    const warn = (...said: unknown[]) => void lines.push(JSON.stringify(said));
    const log = { ...silentLogger, warn };
    await using bench = await createHangingBench([{ "hangs.txt": "x" }], log);
    const hung = bench.hung();
    const run = bench.retrieval.indexRoot(bench.roots[0] as RetrievalRoot);
    await hung;
    bench.clock.advance(30_000);
    assert.deepEqual(lines, []);
    bench.clock.advance(10_000);
    await run;
    assert.match(lines.join(), /hangs\.txt/);
  });
});

describe("An ignore file whose rules block the indexing thread", () => {
  it("leaves its folder out until it changes; what is beside it is indexed", async () => {
    const sub = { "sub/.gitignore": "stalls", "sub/b.txt": "zebra" };
    await using bench = await createHangingBench([{ "a.txt": "zebra", ...sub }]);
    const { retrieval, clock, roots } = bench;
    const [root] = roots as [RetrievalRoot];
    const hung = bench.hung();
    const run = retrieval.indexRoot(root);
    assert.equal(await hung, "rule");
    clock.advance(HANG_MS);
    assert.deepEqual(await run, { ...NONE, indexed: 1, errors: 1 });
    // The next run does not apply it: this one would hang, and no clock would free it.
    assert.deepEqual(await retrieval.indexRoot(root), { ...NONE, unchanged: 1, errors: 1 });
    writeFiles(root.path, { "sub/.gitignore": "other.txt" });
    assert.equal((await retrieval.indexRoot(root)).errors, 0);
    assert.deepEqual(await bench.find("zebra", 0), ["a.txt", "sub/b.txt"]);
  });
});
