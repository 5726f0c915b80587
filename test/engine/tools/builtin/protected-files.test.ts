// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { link, mkdir, rename, symlink } from "node:fs/promises";
import { describe, it } from "node:test";
import type { Judge } from "../../../../engine/files/protected.ts";
import {
  deletePath,
  editFile,
  readPiece,
  replaceFile,
} from "../../../../engine/tools/builtin/filesystem-work.ts";
import { createTestFolder } from "../../../support/engine/files.ts";
import { createToolBench } from "../../../support/engine/tools.ts";

const TOKEN = "TOKEN-OF-THE-ENGINE";
const NOT_APPROVED = /own data, which was not approved/;
const allowAll: Judge = async () => {};

async function setUp() {
  const folder = await createTestFolder({
    data: { "runtime.json": TOKEN, "credentials.key": TOKEN, "lock.db": "", logs: { "a.log": "" } },
    root: { x: { "runtime.json": "plain", logs: { "a.log": "" } }, "a.txt": "plain" },
  });
  const bench = await createToolBench({
    dataDirectory: folder.at("data"),
    directories: [folder.at("root"), folder.at("data")],
  });
  return { folder, bench, [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose]() };
}

/** The folder `root/x` becomes a link to the data directory. */
async function swap(folder: { at(...segments: string[]): string }): Promise<void> {
  await rename(folder.at("root", "x"), folder.at("root", "was-x"));
  await symlink(folder.at("data"), folder.at("root", "x"));
}

describe("A path that leads to the engine's own data only after the check", () => {
  const calls: Record<string, (at: (...names: string[]) => string) => object> = {
    read_file: (at) => ({ path: at("root", "x", "runtime.json") }),
    get_path_info: (at) => ({ path: at("root", "x", "runtime.json") }),
    list_folder: (at) => ({ path: at("root", "x") }),
    search_files: (at) => ({ path: at("root", "x"), query: "runtime" }),
    create_file: (at) => ({ path: at("root", "x", "new"), content: "evil" }),
    create_folder: (at) => ({ path: at("root", "x", "new") }),
    replace_file: (at) => ({ path: at("root", "x", "runtime.json"), content: "evil" }),
    edit_file: (at) => ({
      path: at("root", "x", "runtime.json"),
      old_text: "TOKEN-",
      new_text: "evil",
    }),
    move_path: (at) => ({ path: at("root", "x", "runtime.json"), new_path: at("root", "got") }),
    delete_path: (at) => ({ path: at("root", "x", "logs"), recursive: true }),
  };
  for (const [name, argsAt] of Object.entries(calls)) {
    it(`is refused by ${name}`, async () => {
      const harness = await setUp();
      await using folder = harness.folder;
      await using _harness = harness;
      const before = (await folder.tree()).filter((path) => path.startsWith("data"));
      const args = argsAt((...names) => folder.at(...names));
      assert.equal(await harness.bench.alwaysAsks(name, args), false);
      await swap(folder);
      await harness.bench.fails(name, args, NOT_APPROVED);
      assert.equal(await folder.read("data/runtime.json"), TOKEN);
      const after = (await folder.tree()).filter((path) => path.startsWith("data"));
      assert.deepEqual(after, before);
    });
  }

  it("is refused as the destination of a move", async () => {
    const harness = await setUp();
    await using folder = harness.folder;
    await using _harness = harness;
    const args = { path: folder.at("root", "a.txt"), new_path: folder.at("root", "x", "a.txt") };
    assert.equal(await harness.bench.alwaysAsks("move_path", args), false);
    await swap(folder);
    await harness.bench.fails("move_path", args, NOT_APPROVED);
    assert.equal(await folder.read("root/a.txt"), "plain");
  });

  it("is refused where the model itself moved a plain folder that has the link in it", async () => {
    const harness = await setUp();
    await using folder = harness.folder;
    await using _harness = harness;
    const { bench } = harness;
    await mkdir(folder.at("root", "cloned"));
    await symlink(folder.at("data"), folder.at("root", "cloned", "logs"));
    const read = { path: folder.at("root", "x", "logs", "runtime.json") };
    const away = { path: folder.at("root", "x"), new_path: folder.at("root", "y") };
    const back = { path: folder.at("root", "cloned"), new_path: folder.at("root", "x") };
    for (const [name, args] of [
      ["read_file", read],
      ["move_path", away],
      ["move_path", back],
    ] as const) {
      assert.equal(await bench.alwaysAsks(name, args), false);
    }
    await bench.run("move_path", away);
    await bench.run("move_path", back);
    await bench.fails("read_file", read, NOT_APPROVED);
  });
});

describe("A hard link of a file of the engine", () => {
  it("needs approval, and is refused without it", async () => {
    const harness = await setUp();
    await using folder = harness.folder;
    await using _harness = harness;
    const { bench } = harness;
    await link(folder.at("data", "runtime.json"), folder.at("root", "hard.json"));
    const machine = { path: folder.at("root", "hard.json"), content: "evil" };
    const scoped = { root_index: 0, path: "hard.json", content: "evil" };
    const edit = { old_text: "TOKEN", new_text: "evil" };
    const calls: [string, object][] = [
      ["read_file", machine],
      ["replace_file", machine],
      ["edit_file", { ...machine, ...edit }],
      ["delete_path", machine],
      ["move_path", { ...machine, new_path: folder.at("root", "moved.json") }],
      ["read_workspace_file", scoped],
      ["replace_workspace_file", scoped],
      ["edit_workspace_file", { ...scoped, ...edit }],
      ["move_workspace_path", { ...scoped, destination_folder: "x" }],
    ];
    for (const [name, args] of calls) {
      assert.equal(await bench.alwaysAsks(name, args), true, name);
      await bench.fails(name, args, NOT_APPROVED);
    }
    assert.equal(await folder.read("root/hard.json"), TOKEN);
    bench.context.approved = { protected: true, sensitive: false };
    assert.equal((await bench.run("read_file", machine)).content, TOKEN);
    assert.equal((await bench.run("read_workspace_file", scoped)).content, TOKEN);
  });

  it("of a database is never opened: closing it would release the engine's lock", async () => {
    const harness = await setUp();
    await using folder = harness.folder;
    await using _harness = harness;
    const { bench } = harness;
    await link(folder.at("data", "lock.db"), folder.at("root", "hard.json"));
    bench.context.approved = { protected: true, sensitive: false };
    const inUse = /uses this database itself/;
    await bench.fails("read_file", { path: folder.at("root", "hard.json") }, inUse);
    await bench.fails("read_file", { path: folder.at("data", "lock.db") }, inUse);
    await bench.fails("read_workspace_file", { root_index: 0, path: "hard.json" }, inUse);
  });
});

describe("The tools for workspace files, where a root is the data directory", () => {
  it("refuse without approval, and run with it", async () => {
    const harness = await setUp();
    await using folder = harness.folder;
    await using _harness = harness;
    const { bench } = harness;
    const at = (path: string, more: object = {}) => ({ root_index: 1, path, ...more });
    const calls: [string, object][] = [
      ["list_workspace_folder", { root_index: 1 }],
      ["read_workspace_file", at("runtime.json")],
      ["create_workspace_file", at("new.txt", { content: "x" })],
      ["create_workspace_folder", at("new")],
      ["replace_workspace_file", at("runtime.json", { content: "x" })],
      ["move_workspace_path", at("runtime.json", { destination_folder: "logs" })],
    ];
    for (const [name, args] of calls) await bench.fails(name, args, NOT_APPROVED);
    const search = { query: "runtime" };
    const paths = async () => (await bench.run("search_workspace_files", search)).files;
    assert.deepEqual(await paths(), [{ root_index: 0, path: "x/runtime.json" }]);
    bench.context.approved = { protected: true, sensitive: false };
    for (const [name, args] of calls) await bench.run(name, args);
    assert.equal(await folder.read("data/logs/runtime.json"), "x");
    assert.equal((await paths()).length, 2);
  });
});

describe("The judged file is the one in use", () => {
  /** Exchanges the path between the look at it and its use. */
  const exchangeWhenJudged = (folder: Awaited<ReturnType<typeof createTestFolder>>): Judge => {
    let done = false;
    return async () => {
      if (done) return;
      done = true;
      await swap(folder);
    };
  };
  if (process.platform !== "linux") return;

  it("by a read", async () => {
    const { folder, bench } = await setUp();
    await using _folder = folder;
    await using _bench = bench;
    const path = folder.at("root", "x", "runtime.json");
    const { content } = await readPiece(exchangeWhenJudged(folder), path, {
      offset: 0,
      resultBytesMax: 1000,
    });
    assert.equal(content, "plain");
  });

  it("by a replacement and an edit", async () => {
    for (const change of [
      (judge: Judge, path: string) => replaceFile(judge, path, "new"),
      (judge: Judge, path: string) => editFile(judge, path, (text) => text.replace("plain", "new")),
    ]) {
      const { folder, bench } = await setUp();
      await using _folder = folder;
      await using _bench = bench;
      const path = folder.at("root", "x", "runtime.json");
      // The real path is gone with the exchange: nothing is written, here or there.
      await assert.rejects(change(exchangeWhenJudged(folder), path), /changed while/);
      assert.equal(await folder.read("root/was-x/runtime.json"), "plain");
      assert.equal(await folder.read("data/runtime.json"), TOKEN);
    }
  });

  it("by a deletion of a whole tree", async () => {
    await using folder = await createTestFolder({
      top: { one: {}, two: { "a.txt": "" } },
      outside: { "a.txt": "kept" },
    });
    const judge: Judge = async ({ path }) => {
      if (path !== folder.at("top", "one")) return;
      await rename(folder.at("top", "two"), folder.at("was-two"));
      await symlink(folder.at("outside"), folder.at("top", "two"));
    };
    await assert.rejects(deletePath(judge, folder.at("top"), true));
    assert.equal(await folder.read("outside/a.txt"), "kept");
    await deletePath(allowAll, folder.at("top"), true);
    assert.deepEqual(await folder.tree(), [
      "outside/",
      "outside/a.txt",
      "was-two/",
      "was-two/a.txt",
    ]);
  });
});
