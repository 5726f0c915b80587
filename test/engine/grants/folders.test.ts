// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { mkdir, rename, symlink } from "node:fs/promises";
import { describe, it } from "node:test";
import { findRefusal } from "../../../engine/grants/grant.ts";
import { NO_REACH } from "../../../engine/tools/builtin/reach.ts";
import { createTestFolder } from "../../support/engine/files.ts";
import { type Call, createGrantHarness, type GrantHarness } from "../../support/engine/grants.ts";
import { createToolBench } from "../../support/engine/tools.ts";

const IN_WORKSPACE = { scope: "workspace", match: "path" };

describe("a grant for a folder", () => {
  const remember = IN_WORKSPACE;
  const file = (harness: GrantHarness, ...path: string[]) => harness.folder.at("root", ...path);
  const TABLE: [
    what: string,
    granted: (at: (...path: string[]) => string) => Call,
    prefix: string,
    then: (at: (...path: string[]) => string) => Call,
    asks: boolean,
  ][] = [
    [
      "covers what lies below it",
      (at) => ({ name: "read_file", args: { path: at("notes", "a.txt") } }),
      "notes",
      (at) => ({ name: "read_file", args: { path: at("notes", "sub", "c.txt") } }),
      false,
    ],
    [
      "covers no name that only begins as it",
      (at) => ({ name: "read_file", args: { path: at("notes", "a.txt") } }),
      "notes",
      (at) => ({ name: "read_file", args: { path: at("notes2", "x.txt") } }),
      true,
    ],
    [
      "covers no other tool",
      (at) => ({ name: "read_file", args: { path: at("notes", "a.txt") } }),
      "notes",
      (at) => ({ name: "get_path_info", args: { path: at("notes", "a.txt") } }),
      true,
    ],
    [
      "of a list is that folder itself",
      (at) => ({ name: "list_folder", args: { path: at("notes") } }),
      "notes",
      (at) => ({ name: "list_folder", args: { path: at("notes") } }),
      false,
    ],
    [
      "is real where the path has links",
      (at) => ({ name: "read_file", args: { path: at("link", "a.txt") } }),
      "notes",
      (at) => ({ name: "read_file", args: { path: at("notes", "b.txt") } }),
      false,
    ],
    [
      "covers no link that leads out of it",
      (at) => ({ name: "read_file", args: { path: at("notes", "a.txt") } }),
      "notes",
      (at) => ({ name: "read_file", args: { path: at("notes", "out") } }),
      true,
    ],
    [
      "of a move is the nearest one that holds both paths",
      (at) => ({
        name: "move_path",
        args: { path: at("notes", "a.txt"), new_path: at("notes", "sub", "d.txt") },
      }),
      "notes",
      (at) => ({
        name: "move_path",
        args: { path: at("notes", "b.txt"), new_path: at("notes", "e.txt") },
      }),
      false,
    ],
    [
      "covers no move of which one path lies outside",
      (at) => ({
        name: "move_path",
        args: { path: at("notes", "a.txt"), new_path: at("notes", "sub", "d.txt") },
      }),
      "notes",
      (at) => ({
        name: "move_path",
        args: { path: at("notes", "b.txt"), new_path: at("e.txt") },
      }),
      true,
    ],
    [
      "covers no move of itself",
      (at) => ({
        name: "move_path",
        args: { path: at("notes", "a.txt"), new_path: at("notes", "d.txt") },
      }),
      "notes",
      (at) => ({ name: "move_path", args: { path: at("notes"), new_path: at("notes3") } }),
      true,
    ],
    [
      "covers no deletion of itself",
      (at) => ({ name: "delete_path", args: { path: at("notes", "a.txt") } }),
      "notes",
      (at) => ({ name: "delete_path", args: { path: at("notes"), recursive: true } }),
      true,
    ],
    [
      "covers deletions in it",
      (at) => ({ name: "delete_path", args: { path: at("notes", "a.txt") } }),
      "notes",
      (at) => ({ name: "delete_path", args: { path: at("notes", "sub"), recursive: true } }),
      false,
    ],
    [
      "covers no dot file that is written in it",
      (at) => ({ name: "create_file", args: { path: at("notes", "x.txt"), content: "" } }),
      "notes",
      (at) => ({ name: "create_file", args: { path: at("notes", ".x"), content: "" } }),
      true,
    ],
    [
      "covers no sensitive file in it",
      (at) => ({ name: "read_file", args: { path: at("notes", "a.txt") } }),
      "notes",
      (at) => ({ name: "read_file", args: { path: at("notes", "auth.json") } }),
      true,
    ],
  ];
  for (const [what, granted, prefix, then, asks] of TABLE) {
    it(what, async () => {
      await using harness = await createGrantHarness();
      const at = (...path: string[]) => file(harness, ...path);
      await symlink(at("notes"), at("link"));
      await symlink(harness.folder.at("outside", "secret.txt"), at("notes", "out"));
      const first = await harness.run([granted(at)], { remember });
      assert.deepEqual(first, { ...first, asked: [true], refused: [] });
      assert.deepEqual(
        (await harness.grants()).map(({ pathPrefix }) => pathPrefix),
        [at(prefix)],
      );
      assert.deepEqual((await harness.run([then(at)])).asked, [asks]);
    });
  }

  it("is refused for a call that reaches nothing by name", () => {
    const call = {
      toolName: "x",
      group: "notes",
      operation: "read",
      reach: NO_REACH,
      server: null,
    } as const;
    assert.equal(findRefusal(call, "tool"), undefined);
    assert.equal(findRefusal(call, "path"), "The call names no path.");
  });
});

describe("a path that leads out of the granted folder only after the check", () => {
  const NOT_COVERED = /what no remembered approval covers/;
  type At = (...path: string[]) => string;
  const CALLS: [name: string, args: (at: At) => object, writes: boolean][] = [
    ["read_file", (at) => ({ path: at("in", "x", "a.txt") }), false],
    ["get_path_info", (at) => ({ path: at("in", "x", "a.txt") }), false],
    ["list_folder", (at) => ({ path: at("in", "x") }), false],
    ["search_files", (at) => ({ path: at("in", "x"), query: "a" }), false],
    ["create_file", (at) => ({ path: at("in", "x", "new"), content: "evil" }), true],
    ["create_folder", (at) => ({ path: at("in", "x", "new") }), true],
    ["replace_file", (at) => ({ path: at("in", "x", "a.txt"), content: "evil" }), true],
    ["delete_path", (at) => ({ path: at("in", "x", "a.txt") }), true],
    ["move_path", (at) => ({ path: at("in", "x", "a.txt"), new_path: at("in", "b.txt") }), true],
    ["move_path", (at) => ({ path: at("in", "top.txt"), new_path: at("in", "x", "b") }), true],
  ];
  for (const target of ["outside", "in/.git"]) {
    for (const [name, argsAt, writes] of CALLS) {
      if (target === "in/.git" && !writes) continue;
      it(`is refused by ${name} (${target})`, async () => {
        await using folder = await createTestFolder({
          data: {},
          in: { x: { "a.txt": "plain" }, "top.txt": "top", ".git": { "a.txt": "kept" } },
          outside: { "a.txt": "kept" },
        });
        await using bench = await createToolBench({ dataDirectory: folder.at("data") });
        const at: At = (...path) => folder.at(...path);
        const granted = { folder: folder.at("in"), writes };
        bench.context.approved = { protected: false, sensitive: false, granted };
        await rename(folder.at("in", "x"), folder.at("was-x"));
        await symlink(folder.at(...target.split("/")), folder.at("in", "x"));
        const before = await folder.tree();
        await bench.fails(name, argsAt(at), NOT_COVERED);
        assert.deepEqual(await folder.tree(), before);
        assert.equal(await folder.read(`${target}/a.txt`), "kept");
      });
    }
  }

  it("is not the folder itself, moved or deleted", async () => {
    await using folder = await createTestFolder({ data: {}, top: { in: {} } });
    await mkdir(folder.at("top", "in", "x"));
    await using bench = await createToolBench({ dataDirectory: folder.at("data") });
    const granted = { folder: folder.at("top", "in"), writes: true };
    bench.context.approved = { protected: false, sensitive: false, granted };
    const path = folder.at("top", "in");
    await bench.fails("delete_path", { path, recursive: true }, NOT_COVERED);
    await bench.fails(
      "move_path",
      { path, new_path: folder.at("top", "in", "x", "y") },
      NOT_COVERED,
    );
    assert.equal((await folder.tree()).length, 4);
  });
});
