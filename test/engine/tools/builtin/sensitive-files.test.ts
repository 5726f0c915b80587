import assert from "node:assert/strict";
import { rename, symlink } from "node:fs/promises";
import { describe, it } from "node:test";
import { createTestFolder, Link } from "../../../support/engine/files.ts";
import { createToolBench } from "../../../support/engine/tools.ts";

const NOT_APPROVED = /sensitive file, which was not approved/;
const APPROVED = { protected: false, sensitive: true };

/** The root lies below a folder called `secrets`: what counts is the path in the root, as for the index. */
async function setUp() {
  const folder = await createTestFolder({
    data: {},
    machine: {
      ".env": "KEY=1",
      "a.txt": "plain",
      plain: new Link("machine/.env"),
      id_rsa: new Link("machine/a.txt"),
      ".ssh": { config: "Host" },
      sub: { "deploy.key": "key" },
    },
    secrets: { root: { "a.txt": "plain", "auth.json": "{}", ".aws": { "x.json": "{}" }, sub: {} } },
  });
  const bench = await createToolBench({
    dataDirectory: folder.at("data"),
    directories: [folder.at("secrets", "root")],
  });
  return { folder, bench, [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose]() };
}

const content = { content: "x", old_text: "KEY", new_text: "x" };

describe("a sensitive file", () => {
  it("asks in every tool that names its path, through links too", async () => {
    const harness = await setUp();
    await using folder = harness.folder;
    await using _harness = harness;
    const { bench } = harness;
    const machine = ["read_file", "get_path_info", "replace_file", "edit_file", "create_file"];
    machine.push("create_folder", "delete_path", "list_folder", "search_files");
    const CASES: [path: string, asks: boolean][] = [
      [".env", true],
      [".ENV", true],
      ["none/.env", true],
      ["plain", true],
      ["id_rsa", true],
      [".ssh", true],
      [".ssh/config", true],
      ["sub/deploy.key", true],
      ["a.txt", false],
      ["sub", false],
    ];
    for (const [path, asks] of CASES) {
      for (const name of machine) {
        const args = { path: folder.at("machine", ...path.split("/")), query: "x", ...content };
        assert.equal(await bench.alwaysAsks(name, args), asks, `${name} ${path}`);
      }
      const new_path = folder.at("machine", ...path.split("/"));
      const move = { path: folder.at("machine", "a.txt"), new_path };
      assert.equal(await bench.alwaysAsks("move_path", move), asks, `move_path to ${path}`);
    }
    const scoped = ["read_workspace_file", "create_workspace_file", "replace_workspace_file"];
    scoped.push("edit_workspace_file", "create_workspace_folder", "list_workspace_folder");
    for (const [path, asks] of [
      ["auth.json", true],
      [".aws", true],
      [".aws/x.json", true],
      ["a.txt", false],
      ["", false],
    ] as const) {
      for (const name of scoped) {
        if (path === "" && name !== "list_workspace_folder") continue;
        const args = { root_index: 0, path, ...content };
        assert.equal(await bench.alwaysAsks(name, args), asks, `${name} ${path}`);
      }
    }
    const moves: [string, string, boolean][] = [
      ["auth.json", "sub", true],
      ["a.txt", ".aws", true],
      ["a.txt", "sub", false],
    ];
    for (const [path, destination_folder, asks] of moves) {
      const args = { root_index: 0, path, destination_folder };
      assert.equal(await bench.alwaysAsks("move_workspace_path", args), asks, path);
    }
  });

  it("is refused where a path leads to it only after the check", async () => {
    const harness = await setUp();
    await using folder = harness.folder;
    await using _harness = harness;
    const { bench } = harness;
    const path = folder.at("machine", "a.txt");
    const calls = ["read_file", "get_path_info", "replace_file", "edit_file"];
    for (const name of calls)
      assert.equal(await bench.alwaysAsks(name, { path, ...content }), false);
    await rename(path, folder.at("machine", "b.txt"));
    await symlink(folder.at("machine", ".env"), path);
    for (const name of calls) await bench.fails(name, { path, ...content }, NOT_APPROVED);
    assert.equal(await folder.read("machine/.env"), "KEY=1");
  });

  it("runs with the approval that knew it, and never by another one", async () => {
    const harness = await setUp();
    await using folder = harness.folder;
    await using _harness = harness;
    const { bench } = harness;
    const machine = { path: folder.at("machine", ".env") };
    const scoped = { root_index: 0, path: "auth.json" };
    for (const approved of [undefined, { protected: true, sensitive: false }]) {
      if (approved) bench.context.approved = approved;
      await bench.fails("read_file", machine, NOT_APPROVED);
      await bench.fails("read_workspace_file", scoped, NOT_APPROVED);
      const move = { ...scoped, destination_folder: "sub" };
      await bench.fails("move_workspace_path", move, NOT_APPROVED);
    }
    bench.context.approved = APPROVED;
    assert.equal((await bench.run("read_file", machine)).content, "KEY=1");
    assert.equal((await bench.run("read_workspace_file", scoped)).content, "{}");
  });

  it("is withheld by a search of names, which does not ask", async () => {
    const harness = await setUp();
    await using folder = harness.folder;
    await using _harness = harness;
    const { bench } = harness;
    const all = { path: folder.at("machine"), query: "" };
    const named = { ...all, query: "e" };
    assert.equal(await bench.alwaysAsks("search_files", named), false);
    const { paths } = await bench.run("search_files", { ...named, query: "n" });
    assert.deepEqual(paths, [folder.at("machine", "plain")]);
    const search = { query: "" };
    assert.equal(await bench.alwaysAsks("search_workspace_files", search), false);
    const { files } = await bench.run("search_workspace_files", search);
    assert.deepEqual(files, [{ root_index: 0, path: "a.txt" }]);
  });
});
