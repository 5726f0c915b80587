// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryRoot } from "../../../support/engine/files.ts";
import { createWatched, type Watched } from "../../../support/engine/watched.ts";
import { until, untilEqual } from "../../../support/time.ts";

const QUIET_MS = 2_000;
const LOOK_MS = 15_000;

async function paths({ rag }: Watched, query: string): Promise<string[]> {
  return (await rag.search(query, { mode: "keyword", limit: 50 }))
    .map(({ path }) => path)
    .toSorted();
}

describe("A watched root", () => {
  const changes: [string, (root: string) => void, string[], string[]][] = [
    [
      "a new file",
      (root) => writeFileSync(join(root, "b.txt"), "zebra"),
      ["b.txt"],
      ["a.txt", "b.txt", "sub/c.txt"],
    ],
    ["a change", (root) => writeFileSync(join(root, "a.txt"), "okapi"), ["a.txt"], ["sub/c.txt"]],
    [
      "a rename",
      (root) => renameSync(join(root, "a.txt"), join(root, "sub/d.txt")),
      ["sub/d.txt"],
      ["sub/c.txt", "sub/d.txt"],
    ],
    ["a removal", (root) => rmSync(join(root, "sub/c.txt")), ["sub/c.txt"], ["a.txt"]],
    [
      "a removed folder",
      (root) => rmSync(join(root, "sub"), { recursive: true }),
      ["sub"],
      ["a.txt"],
    ],
    [
      "a renamed folder",
      (root) => renameSync(join(root, "sub"), join(root, "other")),
      ["other"],
      ["a.txt", "other/c.txt"],
    ],
  ];
  for (const [what, change, reports, found] of changes) {
    it(`is indexed 2 s after ${what}`, async () => {
      await using watched = await createWatched([{ "a.txt": "zebra", "sub/c.txt": "zebra" }]);
      const { rag, runs } = watched;
      change(rag.roots[0] ?? "");
      await watched.heard(...reports);
      rag.engine.deps.clock.advance(QUIET_MS - 1);
      assert.equal(runs.length, 1);
      rag.engine.deps.clock.advance(1);
      await watched.untilRuns(2);
      assert.deepEqual(await paths(watched, "zebra"), found);
    });
  }

  it("is indexed when a file of a new folder changes", async () => {
    await using watched = await createWatched([{ "a.txt": "zebra" }]);
    const { rag } = watched;
    const [root = ""] = rag.roots;
    mkdirSync(join(root, "new/deep"), { recursive: true });
    await watched.heard("new");
    await watched.untilQuietRuns(2);
    writeFileSync(join(root, "new/deep/b.txt"), "zebra");
    await watched.heard("new/deep/b.txt");
    await watched.untilQuietRuns(3);
    assert.deepEqual(await paths(watched, "zebra"), ["a.txt", "new/deep/b.txt"]);
  });

  it("is not indexed for what the index leaves out by its name", async () => {
    // With the folder of the index, which the first run would make: the root itself does not change.
    const files = { "a.txt": "zebra", ".engine/.gitignore": "*\n" };
    await using watched = await createWatched([files]);
    const { rag, runs } = watched;
    const [root = ""] = rag.roots;
    const { clock } = rag.engine.deps;
    for (const round of [1, 2, 3]) {
      writeFileSync(join(root, "app.min.js"), `zebra ${round}`);
      mkdirSync(join(root, `.engine/zebra-${round}`), { recursive: true });
      await watched.heard("app.min.js");
      clock.advance(QUIET_MS);
      clock.advance(QUIET_MS);
    }
    writeFileSync(join(root, "b.txt"), "zebra");
    await watched.heard("b.txt");
    await watched.untilQuietRuns(2);
    assert.deepEqual(await paths(watched, "zebra"), ["a.txt", "b.txt"]);
    assert.deepEqual(runs, ["0 completed", "0 completed"]);
  });

  it("is indexed when the rules change, and a file that they no longer hide", async () => {
    await using watched = await createWatched([{ ".gitignore": "*.log\n", "app.log": "zebra" }]);
    const { rag } = watched;
    const [root = ""] = rag.roots;
    const { clock } = rag.engine.deps;
    writeFileSync(join(root, "app.log"), "zebra okapi");
    writeFileSync(join(root, ".gitignore"), "");
    await watched.heard("app.log", ".gitignore");
    await watched.untilQuietRuns(2);
    assert.deepEqual(await paths(watched, "okapi"), ["app.log"]);
    writeFileSync(join(root, "app.log"), "giraffe");
    await watched.heard("app.log");
    // A run that began before the change may end first: the next one follows it.
    await until("The changed file", async () => {
      clock.advance(QUIET_MS);
      return (await paths(watched, "giraffe")).includes("app.log");
    });
  });

  it("never follows a link", async () => {
    const outside = temporaryRoot();
    await using watched = await createWatched([{ "a.txt": "zebra" }]);
    const { rag, runs } = watched;
    const [root = ""] = rag.roots;
    try {
      symlinkSync(outside, join(root, "link"));
      await watched.heard("link");
      writeFileSync(join(outside, "b.txt"), "zebra");
      writeFileSync(join(root, "a.txt"), "zebra okapi");
      await watched.heard("a.txt");
      await watched.untilQuietRuns(2);
      assert.deepEqual(await paths(watched, "zebra"), ["a.txt"]);
      assert.equal(runs.length, 2);
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  it("that vanishes and is replaced is found again, and watched", async () => {
    await using watched = await createWatched([{ "a.txt": "zebra" }]);
    const { rag } = watched;
    const [root = ""] = rag.roots;
    const { clock } = rag.engine.deps;
    renameSync(root, `${root}-away`);
    try {
      clock.advance(LOOK_MS);
      const [gone] = await watched.status();
      assert.deepEqual([gone?.problem, gone?.watching], ["The folder does not exist.", false]);
      mkdirSync(root);
      writeFileSync(join(root, "b.txt"), "zebra");
      await watched.untilRuns(2, () => clock.advance(LOOK_MS));
      assert.deepEqual(await paths(watched, "zebra"), ["b.txt"]);
      writeFileSync(join(root, "c.txt"), "zebra");
      await watched.heard("c.txt");
      // A run that began before the file may end first: the next one follows it.
      await untilEqual(() => {
        clock.advance(QUIET_MS);
        return paths(watched, "zebra");
      }, ["b.txt", "c.txt"]);
      assert.equal((await watched.status())[0]?.watching, true);
    } finally {
      rmSync(`${root}-away`, { recursive: true });
    }
  });
});
