import assert from "node:assert/strict";
import { readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { createTestFolder, Link } from "../../../support/engine/files.ts";
import { createToolBench } from "../../../support/engine/tools.ts";

describe("The engine's own data", () => {
  async function setUp() {
    const folder = await createTestFolder({
      data: { "runtime.json": "{}", d: {} },
      out: { a: "" },
      link: new Link("data"),
      toFile: new Link("data/runtime.json"),
      toNew: new Link("data/new"),
      database: "x",
    });
    const bench = await createToolBench({ dataDirectory: folder.at("data") });
    return { folder, bench };
  }

  it("always asks, for every kind of path to it", async () => {
    const { folder, bench } = await setUp();
    await using _folder = folder;
    await using _bench = bench;
    const reads = [
      "data",
      "data/runtime.json",
      "data/none/at/all",
      "link",
      "link/runtime.json",
      "link/d/../../data/x",
      "out/../data/runtime.json",
      "toFile",
      "toNew",
      "toNew/x",
    ];
    for (const path of reads) {
      for (const name of ["read_file", "list_folder", "get_path_info", "search_files"]) {
        const args = { path: folder.at(...path.split("/")), query: "x" };
        assert.equal(await bench.alwaysAsks(name, args), true, `${name} ${path}`);
      }
      const content = { path: `${folder.path}/${path}`, content: "", old_text: "a", new_text: "" };
      for (const name of [
        "create_file",
        "create_folder",
        "replace_file",
        "edit_file",
        "delete_path",
      ]) {
        assert.equal(await bench.alwaysAsks(name, content), true, `${name} ${path}`);
      }
      const into = { path: folder.at("out", "a"), new_path: `${folder.path}/${path}` };
      assert.equal(await bench.alwaysAsks("move_path", into), true, `move_path to ${path}`);
    }
  });

  it("asks about operations on a folder that holds it", async () => {
    const { folder, bench } = await setUp();
    await using _folder = folder;
    await using _bench = bench;
    const new_path = folder.at("elsewhere");
    assert.equal(await bench.alwaysAsks("move_path", { path: folder.path, new_path }), true);
    assert.equal(
      await bench.alwaysAsks("delete_path", { path: folder.path, recursive: true }),
      true,
    );
    assert.equal(await bench.alwaysAsks("list_folder", { path: folder.path }), false);
    assert.equal(await bench.alwaysAsks("search_files", { path: folder.path, query: "x" }), false);
  });

  it("does not ask about other paths", async () => {
    const { folder, bench } = await setUp();
    await using _folder = folder;
    await using _bench = bench;
    for (const path of ["out", "out/a", "database", "data2", "data.txt", "..data"]) {
      assert.equal(await bench.alwaysAsks("read_file", { path: folder.at(path) }), false, path);
    }
  });

  // Only Linux shows a process as files.
  if (process.platform === "linux") {
    it("asks about the memory of its process, by each of its names", async () => {
      await using bench = await createToolBench();
      const asks = (path: string) => bench.alwaysAsks("read_file", { path });
      const threads = await readdir("/proc/self/task");
      for (const name of ["self", "thread-self", `${process.pid}`, ...threads]) {
        for (const file of ["mem", "environ", "maps", "fd/0"]) {
          assert.equal(await asks(`/proc/${name}/${file}`), true, `${name}/${file}`);
        }
      }
      assert.equal(await asks("/proc/cpuinfo"), false);
      assert.equal(await asks("/proc/1/comm"), false);
    });
  }

  it("asks where the path of the data directory has a link", async () => {
    await using folder = await createTestFolder({ real: { x: "" }, link: new Link("real") });
    await using bench = await createToolBench({ dataDirectory: folder.at("link") });
    assert.equal(await bench.alwaysAsks("read_file", { path: folder.at("real", "x") }), true);
    assert.equal(await bench.alwaysAsks("delete_path", { path: folder.at("link") }), true);
  });

  it("judges a path by its current target", async () => {
    await using folder = await createTestFolder({ data: { x: "" } });
    await using bench = await createToolBench({ dataDirectory: folder.at("data") });
    const path = folder.at("later", "x");
    assert.equal(await bench.alwaysAsks("read_file", { path }), false);
    await symlink(folder.at("data"), folder.at("later"));
    assert.equal(await bench.alwaysAsks("read_file", { path }), true);
    await writeFile(folder.at("data", "x"), "changed");
    assert.equal(await readFile(path, "utf8"), "changed");
  });
});
