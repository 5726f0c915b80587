import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { RetrievalRoot } from "../../../../engine/retrieval/retrieval.ts";
import { createHangingBench, writeFiles } from "../../../support/engine/retrieval.ts";

const HANG_MS = 40_000;

describe("Changed paths", () => {
  it("concern an index where a run would find something to do", async () => {
    const files = {
      ".gitignore": "*.log\nhidden/\n",
      "a.txt": "zebra",
      "sub/b.txt": "zebra",
      "data.bin": "\0",
      "app.log": "x",
      "hidden/c.txt": "x",
      "app.min.js": "x",
    };
    await using bench = await createHangingBench([files, { "a.txt": "x" }]);
    const [root, fresh] = bench.roots as [RetrievalRoot, RetrievalRoot];
    await bench.retrieval.indexRoot(root);
    writeFiles(root.path, {
      "new.txt": "zebra",
      ".env": "KEY=1",
      "bad.pdf": "%PDF-",
      "empty/x.log": "x",
    });
    const cases: [string, boolean, string[]][] = [
      ["a.txt", true, []],
      ["new.txt", true, []],
      [".env", true, []],
      ["bad.pdf", true, []],
      [".gitignore", true, []],
      ["sub", true, []],
      ["empty/", true, []],
      ["gone.txt", false, []],
      ["gone/deep/x.txt", false, []],
      ["data.bin", false, []],
      ["app.log", false, ["app.log"]],
      ["app.min.js", false, ["app.min.js"]],
      ["hidden", false, []],
      ["hidden/c.txt", false, ["hidden/c.txt"]],
      [".engine", false, []],
      [".engine/sidecar.db", false, [".engine/sidecar.db"]],
      ["../outside.txt", false, []],
    ];
    for (const [path, isRelevant, ignored] of cases) {
      assert.deepEqual(
        await bench.retrieval.checkChanges(root, [path]),
        { isRelevant, ignored },
        path,
      );
    }
    writeFiles(root.path, { "sub/b.txt": undefined });
    assert.equal((await bench.retrieval.checkChanges(root, ["sub/b.txt"])).isRelevant, true);
    assert.equal((await bench.retrieval.checkChanges(root, ["app.log", "a.txt"])).isRelevant, true);
    assert.equal((await bench.retrieval.checkChanges(fresh, ["gone.txt"])).isRelevant, true);
  });

  it("that cannot be judged in 30 s are given up, and the thread is replaced", async () => {
    await using bench = await createHangingBench([{ "a.txt": "zebra" }]);
    const { retrieval, clock, roots } = bench;
    const [root] = roots as [RetrievalRoot];
    await retrieval.indexRoot(root);
    writeFileSync(join(root.path, ".gitignore"), "stalls*\n");
    const hung = bench.hung();
    const judged = assert.rejects(retrieval.checkChanges(root, ["a.txt"]), /too long/);
    assert.equal(await hung, "rule");
    clock.advance(HANG_MS);
    await judged;
    assert.deepEqual(await bench.find("zebra", 0), ["a.txt"]);
  });
});
