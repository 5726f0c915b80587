// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, beforeEach, describe, it } from "node:test";
import type { RetrievalRoot } from "../../../engine/retrieval/retrieval.ts";
import { createHangingBench, temporaryRoot, writeFiles } from "../../support/engine/retrieval.ts";

const FILE_MS = 40_000;
const STALL_MS = 130_000;
const NONE = { indexed: 0, unchanged: 0, skipped: 0, removed: 0, errors: 0 };

// The worker stalls while this file is there.
const folder = temporaryRoot();
const stalls = join(folder, "stalls");
process.env.STALLS = stalls;
beforeEach(() => writeFileSync(stalls, ""));
after(() => {
  delete process.env.STALLS;
  rmSync(folder, { recursive: true });
});

for (const work of ["commit", "training"]) {
  describe(`An indexing thread that stalls in a ${work}`, () => {
    const files = { "a.txt": "zebra", [`stalls-in-${work}.txt`]: `zebra stalls-in-${work}` };

    it("is replaced, and the run continues", async () => {
      await using bench = await createHangingBench([files, { "b.txt": "zebra" }]);
      const [bad, good] = bench.roots as [RetrievalRoot, RetrievalRoot];
      const hung = bench.hung();
      const runs = Promise.all([bench.retrieval.indexRoot(bad), bench.retrieval.indexRoot(good)]);
      assert.equal(await hung, work);
      rmSync(stalls);
      bench.clock.advance(STALL_MS);
      const [{ indexed, unchanged, errors }, other] = await runs;
      assert.deepEqual([indexed + unchanged, errors], [2, 0]);
      assert.equal(other.indexed + other.unchanged, 1);
      assert.deepEqual(await bench.find("zebra", 0), Object.keys(files));
    });

    it("ends its run with a problem where it stalls again, and no other run", async () => {
      await using bench = await createHangingBench([files, { "b.txt": "zebra" }]);
      const [bad, good] = bench.roots as [RetrievalRoot, RetrievalRoot];
      let hung = bench.hung();
      const ended = assert.rejects(bench.retrieval.indexRoot(bad), {
        status: 503,
        message: /^Indexing stopped twice at the same place/,
      });
      await hung;
      const other = bench.retrieval.indexRoot(good);
      hung = bench.hung();
      bench.clock.advance(STALL_MS);
      await hung;
      bench.clock.advance(STALL_MS);
      await ended;
      assert.equal((await other).errors, 0);
      rmSync(stalls);
      const { indexed, unchanged } = await bench.retrieval.indexRoot(bad);
      assert.equal(indexed + unchanged, 2);
    });
  });
}

describe("An ignore file whose rules block the indexing thread", () => {
  it("leaves its folder out until it changes; what is beside it is indexed", async () => {
    const sub = { "sub/.gitignore": "stalls", "sub/b.txt": "zebra" };
    await using bench = await createHangingBench([{ "a.txt": "zebra", ...sub }]);
    const { retrieval, clock, roots } = bench;
    const [root] = roots as [RetrievalRoot];
    const hung = bench.hung();
    const run = retrieval.indexRoot(root);
    assert.equal(await hung, "rule");
    clock.advance(FILE_MS);
    assert.deepEqual(await run, { ...NONE, indexed: 1, errors: 1 });
    // The next run does not apply it: this one would hang, and no clock would free it.
    assert.deepEqual(await retrieval.indexRoot(root), { ...NONE, unchanged: 1, errors: 1 });
    writeFiles(root.path, { "sub/.gitignore": "other.txt" });
    assert.equal((await retrieval.indexRoot(root)).errors, 0);
    assert.deepEqual(await bench.find("zebra", 0), ["a.txt", "sub/b.txt"]);
  });
});
