// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, stat } from "node:fs/promises";
import { describe, it } from "node:test";
import { createTestFolder, Link } from "../../../support/engine/files.ts";
import { createToolBench } from "../../../support/engine/tools.ts";

describe("read_file", () => {
  it("reads a file anywhere in pieces that never cut a character", async () => {
    const text = `${"ä👋x".repeat(10_000)}end`;
    await using folder = await createTestFolder({ "a.bin": text });
    await using bench = await createToolBench();
    let read = "";
    let offset: number | null = 0;
    while (offset !== null) {
      const piece: { content: string; size_bytes: number; next_offset: number | null } =
        await bench.run("read_file", { path: folder.at("a.bin"), offset });
      assert.equal(piece.content.isWellFormed(), true);
      assert.equal(piece.size_bytes, Buffer.byteLength(text));
      read += piece.content;
      offset = piece.next_offset;
    }
    assert.equal(read, text);
  });

  it("follows links, and keeps a BOM", async () => {
    await using folder = await createTestFolder({ a: "\uFEFFx", l: new Link("a") });
    await using bench = await createToolBench();
    assert.equal((await bench.run("read_file", { path: folder.at("l") })).content, "\uFEFFx");
  });

  it("reports a file that is not text", async () => {
    await using folder = await createTestFolder({
      binary: new Uint8Array([0xff, 0xfe]),
      nul: "a\0b",
      d: {},
      circle: new Link("circle"),
    });
    execFileSync("mkfifo", [folder.at("fifo")]);
    await using bench = await createToolBench();
    const fails = (name: string, message: string) =>
      bench.fails("read_file", { path: folder.at(name) }, message);
    await fails("binary", "path: the file is not UTF-8 text here.");
    await fails("nul", "path: the file is not UTF-8 text here.");
    await fails("none", "There is nothing at this path.");
    await fails("nul/x", "Something on this path is not a folder.");
    await fails("d", "path: is not a regular file.");
    await fails("fifo", "path: is not a regular file.");
    await fails("circle", "The links on this path lead in a circle.");
  });

  for (const [path, message] of [
    ["", /^path: must not be empty/],
    ["a/b", /^path: must be an absolute path/],
    ["~/x", /^path: must be an absolute path/],
    ["/a\0b", /^path: must be an absolute path/],
    [1, /^path: must be a string/],
    [undefined, /^path: is required/],
  ] as const) {
    it(`names the argument where the path is ${JSON.stringify(path)}`, async () => {
      await using bench = await createToolBench();
      await bench.fails("read_file", { path }, message);
    });
  }

  it("does nothing once the turn has ended", async () => {
    await using folder = await createTestFolder({ a: "x" });
    await using bench = await createToolBench();
    const reason = new Error("ended");
    const run = bench.run("delete_path", { path: folder.at("a") }, AbortSignal.abort(reason));
    await assert.rejects(run, reason);
    assert.deepEqual(await folder.tree(), ["a"]);
  });
});

describe("list_folder, get_path_info and search_files", () => {
  it("report type, size and time", async () => {
    await using folder = await createTestFolder({
      b: { Deep: { "x.TXT": "" }, ".engine": { "y.txt": "" } },
      ".engine": { "z.txt": "" },
      a: "12",
      l: new Link("a"),
    });
    await using bench = await createToolBench();
    assert.deepEqual(await bench.run("list_folder", { path: `${folder.path}/b/..` }), {
      entries: [
        { name: "a", type: "file" },
        { name: "b", type: "folder" },
        { name: "l", type: "link" },
      ],
      has_more: false,
    });
    const info = await bench.run("get_path_info", { path: folder.at("l") });
    assert.equal(info.type, "link");
    assert.equal(info.leads_to, folder.at("a"));
    assert.equal((await bench.run("get_path_info", { path: folder.at("a") })).size_bytes, 2);
    assert.deepEqual(await bench.run("search_files", { path: folder.path, query: ".txt" }), {
      paths: [folder.at("b", "Deep", "x.TXT")],
      complete: true,
    });
    await bench.fails(
      "list_folder",
      { path: folder.at("a") },
      "Something on this path is not a folder.",
    );
  });

  it("end a search with the turn", async () => {
    await using folder = await createTestFolder({ a: {} });
    await using bench = await createToolBench();
    const turn = new AbortController();
    const search = bench.run("search_files", { path: folder.path, query: "x" }, turn.signal);
    turn.abort(new Error("ended"));
    await assert.rejects(search, /ended/);
  });

  it("leave the engine's own data out of a search from above", async () => {
    await using folder = await createTestFolder({
      data: { "runtime.json": "" },
      "runtime.txt": "",
    });
    await using bench = await createToolBench({ dataDirectory: folder.at("data") });
    const { paths } = await bench.run("search_files", { path: folder.path, query: "runtime" });
    assert.deepEqual(paths, [folder.at("runtime.txt")]);
  });
});

describe("create_file and create_folder", () => {
  it("create in an existing folder, and never over something", async () => {
    await using folder = await createTestFolder({ taken: "old", dangling: new Link("nowhere") });
    await using bench = await createToolBench();
    await bench.run("create_folder", { path: folder.at("d") });
    await bench.run("create_file", { path: folder.at("d", "new"), content: "x" });
    assert.equal(await folder.read("d/new"), "x");
    const taken = "Something already exists at this path.";
    await bench.fails("create_folder", { path: folder.at("taken") }, taken);
    await bench.fails("create_file", { path: folder.at("taken"), content: "x" }, /already exists/);
    await bench.fails("create_file", { path: folder.at("dangling"), content: "x" }, /link/);
    await bench.fails(
      "create_file",
      { path: folder.at("no", "x"), content: "x" },
      "There is nothing at this path.",
    );
    await bench.fails("create_file", { path: folder.at("u"), content: "\ud800" }, /valid Unicode/);
    await bench.fails(
      "create_file",
      { path: folder.at("u"), content: "x".repeat(1_000_001) },
      /at most 1000000/,
    );
    assert.deepEqual(await folder.tree(), ["d/", "d/new", "dangling@", "taken"]);
    assert.equal(await folder.read("taken"), "old");
  });
});

describe("replace_file and edit_file", () => {
  it("change an existing file, also through a link, and keep its mode", async () => {
    await using folder = await createTestFolder({ a: "one two", l: new Link("a") });
    await chmod(folder.at("a"), 0o640);
    await using bench = await createToolBench();
    await bench.run("replace_file", { path: folder.at("l"), content: "three four" });
    assert.equal(await folder.read("a"), "three four");
    await bench.run("edit_file", { path: folder.at("a"), old_text: "three", new_text: "$& 3" });
    assert.equal(await folder.read("a"), "$& 3 four");
    assert.equal((await stat(folder.at("a"))).mode & 0o777, 0o640);
    assert.deepEqual(await folder.tree(), ["a", "l@"]);
  });

  it("change nothing where the passage is ambiguous", async () => {
    await using folder = await createTestFolder({ a: "aXaX", d: {} });
    await using bench = await createToolBench();
    const path = folder.at("a");
    const missing = "old_text: the file does not have this text.";
    await bench.fails("edit_file", { path, old_text: "b", new_text: "" }, missing);
    await bench.fails("edit_file", { path, old_text: "aX", new_text: "" }, /more than once/);
    await bench.fails(
      "edit_file",
      { path, old_text: "", new_text: "" },
      "old_text: must not be empty.",
    );
    await bench.fails(
      "replace_file",
      { path: folder.at("none"), content: "" },
      "There is nothing at this path.",
    );
    await bench.fails(
      "replace_file",
      { path: folder.at("d"), content: "" },
      "path: is not a regular file.",
    );
    assert.equal(await folder.read("a"), "aXaX");
  });
});

describe("move_path and delete_path", () => {
  it("move files, folders and links themselves, never over another one", async () => {
    await using folder = await createTestFolder({
      a: "1",
      b: "2",
      d: { x: "" },
      e: {},
      l: new Link("a"),
    });
    await using bench = await createToolBench();
    const move = (from: string, to: string) => ({ path: folder.at(from), new_path: folder.at(to) });
    await bench.fails("move_path", move("a", "b"), /already exists/);
    await bench.fails(
      "move_path",
      move("d", "e"),
      "new_path: something already exists at this path.",
    );
    await bench.run("move_path", move("a", "a2"));
    await bench.run("move_path", move("d", "e/d"));
    await bench.run("move_path", move("l", "l2"));
    assert.deepEqual(await folder.tree(), ["a2", "b", "e/", "e/d/", "e/d/x", "l2@"]);
  });

  it("delete files and links themselves, and folders with content only with recursive", async () => {
    await using folder = await createTestFolder({ a: "1", d: { x: "" }, l: new Link("d") });
    await using bench = await createToolBench();
    await bench.run("delete_path", { path: folder.at("l"), recursive: true });
    await bench.fails("delete_path", { path: folder.at("d") }, "The folder is not empty.");
    assert.deepEqual(await folder.tree(), ["a", "d/", "d/x"]);
    await bench.run("delete_path", { path: folder.at("d"), recursive: true });
    await bench.run("delete_path", { path: folder.at("a") });
    assert.deepEqual(await folder.tree(), []);
    await bench.fails(
      "delete_path",
      { path: "/", recursive: true },
      "path: the root of a disk stays.",
    );
  });
});
