// Slow: it reads documents.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestFolder, Link } from "../../../support/engine/files.ts";
import { createToolBench } from "../../../support/engine/tools.ts";
import { docxOf, healthyPdf } from "../../../support/files/bombs.ts";

describe("The tools for workspace files", () => {
  it("list roots, folders and tagged files, and search all roots", async () => {
    await using one = await createTestFolder({ src: { "Main.ts": "x" }, "a.md": "" });
    await using two = await createTestFolder({ "main.txt": "" });
    const taggedFiles = [{ rootIndex: 1, path: "gone.txt", label: "L" }];
    await using bench = await createToolBench({ directories: [one.path, two.path], taggedFiles });
    assert.deepEqual(await bench.run("list_workspace_roots", {}), {
      roots: [
        { root_index: 0, path: one.path },
        { root_index: 1, path: two.path },
      ],
    });
    assert.deepEqual(await bench.run("list_workspace_folder", { root_index: 0 }), {
      entries: [
        { path: "src", type: "folder" },
        { path: "a.md", type: "file" },
      ],
      total: 2,
    });
    assert.deepEqual(await bench.run("search_workspace_files", { query: "MAIN" }), {
      files: [
        { root_index: 1, path: "main.txt" },
        { root_index: 0, path: "src/Main.ts" },
      ],
    });
    assert.deepEqual(await bench.run("list_tagged_files", {}), {
      files: [{ root_index: 1, path: "gone.txt", label: "L" }],
    });
  });

  it("find out only when a tagged file is read that it is not there, or outside its root", async () => {
    await using folder = await createTestFolder({ "a.txt": "" });
    const taggedFiles = [
      { rootIndex: 0, path: "gone.txt", label: "L" },
      { rootIndex: 7, path: "a.txt", label: "L" },
      { rootIndex: 0, path: "../a.txt", label: "L" },
    ];
    await using bench = await createToolBench({ directories: [folder.path], taggedFiles });
    assert.equal((await bench.run("list_tagged_files", {})).files.length, 3);
    const read = (root_index: number, path: string) => ({ root_index, path });
    await bench.fails("read_workspace_file", read(0, "gone.txt"), "Path not found.");
    await bench.fails("read_workspace_file", read(7, "a.txt"), /^Invalid root\./);
    await bench.fails("read_workspace_file", read(0, "../a.txt"), /path/);
  });

  it("read in pages that never cut a character", async () => {
    const text = `${"👋".repeat(40_000)}x`;
    await using folder = await createTestFolder({ "a.txt": text });
    await using bench = await createToolBench({ directories: [folder.path] });
    let read = "";
    let offset: number | null = 0;
    while (offset !== null) {
      const page: { content: string; next_offset: number | null } = await bench.run(
        "read_workspace_file",
        { root_index: 0, path: "a.txt", offset },
      );
      assert.equal(page.content.isWellFormed(), true);
      read += page.content;
      offset = page.next_offset;
    }
    assert.equal(read, text);
  });

  it("read the text of documents, or report why there is none", async () => {
    const pdf = healthyPdf("zebra");
    await using folder = await createTestFolder({
      "a.PDF": pdf,
      "b.docx": docxOf("<w:p><w:r><w:t>okapi</w:t></w:r></w:p>"),
      "broken.pdf": "%PDF-1.4 broken",
      "other.pdf": "plain text",
    });
    await using bench = await createToolBench({ directories: [folder.path] });
    const read = (path: string) => ({ root_index: 0, path });
    const name = "read_workspace_file";
    const page = { content: "zebra", characters: 5, next_offset: null };
    assert.deepEqual(await bench.run(name, read("a.PDF")), page);
    assert.equal((await bench.run(name, read("b.docx"))).content.trim(), "okapi");
    await bench.fails(name, read("broken.pdf"), /^The text was not read\. ./);
    await bench.fails(name, read("other.pdf"), "path: the file is no pdf.");
    await bench.fails(name, read("gone.pdf"), "Path not found.");
  });

  it("create, replace, edit and move", async () => {
    await using folder = await createTestFolder({ "a.md": "one two" });
    await using bench = await createToolBench({ directories: [folder.path] });
    const at = (path: string, more: object = {}) => ({ root_index: 0, path, ...more });
    await bench.run("create_workspace_folder", at("d"));
    await bench.run("create_workspace_file", at("d/b.md", { content: "new" }));
    await bench.run("replace_workspace_file", at("d/b.md", { content: "newer" }));
    await bench.run("edit_workspace_file", at("a.md", { old_text: "two", new_text: "$1" }));
    const move = at("a.md", { destination_folder: "d" });
    assert.deepEqual(await bench.run("move_workspace_path", move), {
      path: "d/a.md",
      type: "file",
    });
    assert.deepEqual(await folder.tree(), ["d/", "d/a.md", "d/b.md"]);
    assert.equal(await folder.read("d/a.md"), "one $1");
    assert.equal(await folder.read("d/b.md"), "newer");
    await bench.fails("create_workspace_file", at("d/b.md", { content: "" }), /already exists/);
    await bench.fails(
      "edit_workspace_file",
      at("d/b.md", { old_text: "x", new_text: "" }),
      /old_text/,
    );
  });

  it("keep to the roots", async () => {
    await using outside = await createTestFolder({ "secret.txt": "s" });
    await using folder = await createTestFolder({ link: new Link(outside.path), "a.txt": "" });
    await using bench = await createToolBench({ directories: [folder.path] });
    const escapes = [
      "/etc/passwd",
      "../x.txt",
      "link/secret.txt",
      "a//b.txt",
      "./a.txt",
      "a\0.txt",
    ];
    for (const path of escapes) {
      const args = { root_index: 0, path, content: "x", old_text: "s", new_text: "t" };
      for (const name of ["read", "replace", "edit", "create"]) {
        await bench.fails(`${name}_workspace_file`, args, /./);
      }
    }
    assert.equal(await outside.read("secret.txt"), "s");
    assert.deepEqual(await outside.tree(), ["secret.txt"]);
  });

  it("do not ask about roots elsewhere", async () => {
    await using folder = await createTestFolder({ "a.txt": "" });
    await using bench = await createToolBench({ directories: [folder.path] });
    assert.equal(await bench.alwaysAsks("search_workspace_index", { query: "x" }), false);
    assert.equal(await bench.alwaysAsks("search_workspace_files", { query: "x" }), false);
  });

  it("always ask where a root is, or leads to, the engine's own data", async () => {
    await using folder = await createTestFolder({ data: { "x.txt": "" }, "a.txt": "" });
    const directories = [folder.path, folder.at("data")];
    await using bench = await createToolBench({ directories, dataDirectory: folder.at("data") });
    const asks = (name: string, args: object) => bench.alwaysAsks(name, args);
    const read = (root_index: number, path: string) => ({ root_index, path });
    assert.equal(await asks("read_workspace_file", read(0, "data/x.txt")), true);
    assert.equal(await asks("read_workspace_file", read(1, "x.txt")), true);
    assert.equal(await asks("list_workspace_folder", { root_index: 1 }), true);
    assert.equal(await asks("search_workspace_files", { query: "x" }), true);
    assert.equal(
      await asks("move_workspace_path", { ...read(0, "a.txt"), destination_folder: "data" }),
      true,
    );
    assert.equal(await asks("read_workspace_file", read(0, "a.txt")), false);
    assert.equal(await asks("list_workspace_folder", { root_index: 0 }), false);
    assert.equal(await asks("list_workspace_roots", {}), false);
    assert.equal(await asks("search_workspace_index", { query: "x" }), true);
    assert.equal(await asks("update_workspace_index", {}), true);
  });
});
