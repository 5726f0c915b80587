// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { searchFiles } from "../../../engine/files/search.ts";
import { visitFiles } from "../../../engine/files/visit.ts";
import { createTestEngine } from "../../support/engine/engine.ts";
import {
  createTestFolder,
  createWorkspaceOver,
  filesPath,
  Link,
  type TestFolder,
} from "../../support/engine/files.ts";

async function find(folder: TestFolder, query: string, limit = 50): Promise<string[]> {
  const root = { rootIndex: 0, path: folder.path };
  return (await searchFiles([root], { query, limit })).map((match) => match.relativePath);
}

describe("how much is found", () => {
  it("the best of all files are kept, even those found last", async () => {
    await using root = await createTestFolder();
    for (let folder = 0; folder < 30; folder += 1) {
      await mkdir(root.at(`d${folder}`));
      for (let file = 0; file < 5; file += 1)
        await writeFile(root.at(`d${folder}`, `xhit${file}`), "");
    }
    await mkdir(root.at("zzz", "zzz"), { recursive: true });
    await writeFile(root.at("zzz", "zzz", "hit"), "");
    const found = await find(root, "hit", 10);
    assert.equal(found[0], "zzz/zzz/hit");
    assert.equal(found.length, 10);
    assert.deepEqual(found.slice(1), (await find(root, "hit", 50)).slice(1, 10));
  });

  it("limit defaults to 20 and is clamped to 1..50; anything but a whole number is 400", async () => {
    await using engine = await createTestEngine();
    await using root = await createTestFolder(
      Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`f${at}.txt`, ""])),
    );
    const uuid = await createWorkspaceOver(engine, [root.path]);
    const counts: [string | undefined, number][] = [
      [undefined, 20],
      ["1", 1],
      ["0", 1],
      ["-5", 1],
      ["-0", 1],
      ["2", 2],
      ["49", 49],
      ["50", 50],
      ["51", 50],
      ["007", 7],
      ["99999999999999999999999", 50],
      ["-99999999999999999999999", 1],
    ];
    for (const [limit, count] of counts) {
      const query: Record<string, string> = limit === undefined ? {} : { limit };
      const response = await engine.call("GET", filesPath(uuid, "/search", query));
      assert.equal(((await response.json()) as unknown[]).length, count, `limit=${limit}`);
    }
    for (const limit of [
      "",
      " ",
      "1.5",
      "1.0",
      "1e1",
      "ten",
      "NaN",
      "Infinity",
      "0x10",
      "+5",
      "5 ",
      "1,5",
      "٣",
    ]) {
      const response = await engine.call("GET", filesPath(uuid, "/search", { limit }));
      assert.equal(response.status, 400, `limit=${limit}`);
      assert.match(
        ((await response.json()) as { details: string }).details,
        /limit: must be a whole number/,
      );
    }
  });
});

describe("how much is visited", () => {
  async function visited(
    folder: TestFolder,
    options: { visitsMax?: number; entriesMax?: number } = {},
  ) {
    const paths: string[] = [];
    for await (const { path, names } of visitFiles({ rootIndex: 0, path: folder.path }, options))
      paths.push(...names.map((name) => (path === "" ? name : `${path}/${name}`)));
    return paths.sort();
  }

  it("exactly as many files as allowed, nearest first, of one folder the first names", async () => {
    await using root = await createTestFolder({
      "b.txt": "",
      "a.txt": "",
      z: { "1.txt": "" },
      d: { "2.txt": "", "1.txt": "", e: { "3.txt": "" } },
      link: new Link("a.txt"),
      node_modules: { "x.txt": "" },
    });
    const all = ["a.txt", "b.txt", "d/1.txt", "d/2.txt", "z/1.txt", "d/e/3.txt"];
    for (let visitsMax = 1; visitsMax <= all.length + 1; visitsMax += 1)
      assert.deepEqual(await visited(root, { visitsMax }), all.slice(0, visitsMax).sort());
  });

  it("25,000 files are visited and the next one is not", async () => {
    await using root = await createTestFolder({ a: {}, b: { "last.txt": "" } });
    const make = (from: number, to: number) => {
      // Synchronously: many times faster, and there is nothing else to do.
      for (let at = from; at < to; at += 1) writeFileSync(root.at("a", `f${at}`), "");
    };
    make(0, 24_999);
    assert.equal((await visited(root)).length, 25_000);
    assert.deepEqual(await find(root, "last"), ["b/last.txt"]);
    make(24_999, 25_001);
    const paths = await visited(root);
    assert.equal(paths.length, 25_000);
    assert.deepEqual(await find(root, "last"), []);
    // Each root has its own 25,000.
    await using other = await createTestFolder({ "last.txt": "" });
    const roots = [root.path, other.path].map((path, rootIndex) => ({ rootIndex, path }));
    assert.equal((await searchFiles(roots, { query: "last", limit: 1 }))[0]?.rootIndex, 1);
  });

  it("names of any kind are bounded, too", async () => {
    await using root = await createTestFolder({ a: { b: { c: { "x.txt": "" } } } });
    assert.deepEqual(await visited(root, { entriesMax: 3 }), []);
    assert.deepEqual(await visited(root, { entriesMax: 4 }), ["a/b/c/x.txt"]);
  });
});
