// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createTestFolder } from "../../../support/engine/files.ts";
import { createToolBench } from "../../../support/engine/tools.ts";

const FILES = {
  "guide.md": "# Guide\n\nThe cache is refreshed every minute.\n",
  ".env": "A=canary",
};

describe("The retrieval tools", () => {
  it("update the index, report its state, and search it", async () => {
    await using folder = await createTestFolder(FILES);
    await using bench = await createToolBench({ directories: [folder.path] });
    const status = {
      root_index: 0,
      path: folder.path,
      enabled: true,
      problem: null,
      running: null,
      failed_files: 0,
      last_indexed_at: null,
    };
    assert.deepEqual(await bench.run("get_workspace_index_status", {}), {
      roots: [{ ...status, searchable: false, documents: 0 }],
    });
    assert.deepEqual(await bench.run("search_workspace_index", { query: "cache" }), {
      results: [],
      note: "Nothing in the indexed folders matches.",
    });
    const counts = { indexed: 2, unchanged: 0, skipped: 0, errors: 0, removed: 0 };
    assert.deepEqual(await bench.run("update_workspace_index", {}), {
      roots: [{ root_index: 0, ...counts }],
    });
    const { roots } = await bench.run("get_workspace_index_status", {});
    assert.ok(Date.parse(roots[0].last_indexed_at) > 0);
    assert.deepEqual(
      [{ ...roots[0], last_indexed_at: null }],
      [{ ...status, searchable: true, documents: 2 }],
    );
    const search = { query: "cache refreshing", mode: "keyword", limit: 1 };
    const { results } = await bench.run("search_workspace_index", search);
    const [{ score, ...passage }] = results;
    assert.ok(score > 0);
    assert.deepEqual(passage, {
      ...{ root_index: 0, path: "guide.md", start_line: 1, end_line: 3 },
      content: FILES["guide.md"].trimEnd(),
    });
    const found = await bench.run("search_workspace_index", { query: "env canary" });
    assert.ok(!JSON.stringify(found).includes("canary"));
  });

  it("search the roots that are there, and name those that are left out", async () => {
    await using folder = await createTestFolder(FILES);
    await using later = await createTestFolder(FILES);
    await using bench = await createToolBench({ directories: [later.path, folder.path] });
    await bench.run("update_workspace_index", {});
    const query = { query: "cache", mode: "keyword" };
    const whole = await bench.run("search_workspace_index", query);
    assert.deepEqual(Object.keys(whole), ["results"]);
    rmSync(later.path, { recursive: true });
    const { results, left_out } = await bench.run("search_workspace_index", query);
    assert.deepEqual(
      results.map((hit: { root_index: number; path: string }) => [hit.root_index, hit.path]),
      [[1, "guide.md"]],
    );
    const problem = "The folder does not exist.";
    assert.deepEqual(left_out, [{ root_index: 0, path: later.path, problem }]);
  });

  it("report invalid arguments and unusable roots to the model", async () => {
    await using folder = await createTestFolder(FILES);
    const gone = join(folder.path, "gone");
    await using bench = await createToolBench({ directories: [gone] });
    assert.deepEqual(await bench.run("search_workspace_index", { query: "x" }), {
      results: [],
      left_out: [{ root_index: 0, path: gone, problem: "The folder does not exist." }],
    });
    const { roots } = await bench.run("get_workspace_index_status", {});
    assert.equal(roots[0].problem, "The folder does not exist.");
    await bench.fails("update_workspace_index", {}, /^Invalid root\. .+gone" does not exist$/);
    await bench.fails("search_workspace_index", {}, /query/);
    await bench.fails("search_workspace_index", { query: "x", mode: "Hybrid" }, /mode/);
    await bench.fails("search_workspace_index", { query: "x", limit: 51 }, /limit/);
    assert.ok(readFileSync(join(folder.path, "guide.md")).length > 0);
    rmSync(join(folder.path, ".engine"), { recursive: true, force: true });
  });
});
