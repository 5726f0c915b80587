import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { describe, it } from "node:test";
import { LOCAL_FOLDERS_MAX } from "../../../engine/files/limits.ts";
import { createTestEngine, TEST_CONFIG } from "../../support/engine/engine.ts";
import { createTestFolder } from "../../support/engine/files.ts";
import { json } from "../../support/http.ts";

/** An engine whose data directory is in the folder. */
async function setUp() {
  const folder = await createTestFolder({
    "a.txt": "text",
    "B.txt": "text",
    notes: { inner: {}, ".hidden": { deep: {} } },
    Archive: {},
    ".ssh": {},
    data: { logs: {} },
  });
  symlinkSync(folder.at("notes"), folder.at("link"));
  const config = { ...TEST_CONFIG, dataDirectory: folder.at("data") };
  const test = await createTestEngine({ config });
  const list = (path: string) =>
    test.call("GET", `/local-folders?path=${encodeURIComponent(path)}`);
  return {
    folder,
    list,
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe("GET /local-folders", () => {
  it("names folders alone: no file, no link, nothing hidden, and not the engine's own data", async () => {
    await using test = await setUp();
    const { folder } = test;
    assert.deepEqual(await json(await test.list(folder.path)), {
      path: folder.path,
      parent: dirname(folder.path),
      folders: [
        { name: "Archive", path: folder.at("Archive") },
        { name: "notes", path: folder.at("notes") },
      ],
    });
    const [inner] = (await json(await test.list(`${folder.at("link")}/`))).folders;
    assert.deepEqual(inner, { name: "inner", path: folder.at("notes", "inner") }, "the real path");
  });

  it("has nothing above the top, and begins at the home folder for ~", async () => {
    await using test = await setUp();
    assert.equal((await json(await test.list("/"))).parent, null);
    const home = await json(await test.list("~"));
    assert.notEqual(home.parent, null);
    assert.deepEqual(await json(await test.list("~/")), home);
  });

  const refused: [
    what: string,
    path: (at: (...parts: string[]) => string) => string,
    status: number,
  ][] = [
    ["no path", () => "", 400],
    ["a relative path", () => "notes", 400],
    ["another person's home", () => "~ada", 400],
    ["a file", (at) => at("a.txt"), 400],
    ["what is not there", (at) => at("gone"), 404],
    ["a folder of a file", (at) => at("a.txt", "b"), 404],
    ["a hidden folder", (at) => at(".ssh"), 403],
    ["a folder in a hidden one", (at) => at("notes", ".hidden", "deep"), 403],
    ["the engine's own data", (at) => at("data", "logs"), 403],
  ];
  for (const [what, pathOf, status] of refused) {
    it(`answers ${status} for ${what}`, async () => {
      await using test = await setUp();
      assert.equal((await test.list(pathOf(test.folder.at))).status, status);
    });
  }

  it("names a bounded number of them", async () => {
    await using test = await setUp();
    const names = Array.from({ length: LOCAL_FOLDERS_MAX + 1 }, (_, at) => [`f${at}`, {}] as const);
    await using many = await createTestFolder(Object.fromEntries(names));
    assert.equal((await json(await test.list(many.path))).folders.length, LOCAL_FOLDERS_MAX);
  });
});
