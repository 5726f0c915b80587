// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { lstat, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { moveEntry } from "../../../engine/files/move.ts";
import { createTestEngine } from "../../support/engine/engine.ts";
import {
  createTestFolder,
  createWorkspaceOver,
  filesPath,
  Link,
  move,
  type TestFolder,
} from "../../support/engine/files.ts";

function over(...roots: string[]) {
  return { directories: JSON.stringify(roots), ragConfig: null };
}

describe("what moves", () => {
  it("a file, with its identity, content and mode, into a folder and back into the root", async () => {
    await using root = await createTestFolder({ "a.sh": "text", folder: { inner: {} } });
    const before = await lstat(root.at("a.sh"));
    assert.deepEqual(await moveEntry(over(root.path), move("a.sh", "folder/inner")), {
      name: "a.sh",
      relativePath: "folder/inner/a.sh",
      isDirectory: false,
    });
    const after = await lstat(root.at("folder/inner/a.sh"));
    assert.deepEqual([after.ino, after.mode, after.nlink], [before.ino, before.mode, 1]);
    assert.deepEqual(await moveEntry(over(root.path), move("folder/inner/a.sh", "")), {
      name: "a.sh",
      relativePath: "a.sh",
      isDirectory: false,
    });
    assert.deepEqual(await root.tree(), ["a.sh", "folder/", "folder/inner/"]);
  });

  it("a folder with all that is in it, links included", async () => {
    await using root = await createTestFolder({
      a: { b: { "c.txt": "c" }, link: new Link("/etc") },
      target: {},
    });
    assert.deepEqual(await moveEntry(over(root.path), move("a", "target")), {
      name: "a",
      relativePath: "target/a",
      isDirectory: true,
    });
    assert.deepEqual(await root.tree(), [
      "target/",
      "target/a/",
      "target/a/b/",
      "target/a/b/c.txt",
      "target/a/link@",
    ]);
  });

  it("files of any type and without permissions of their own", async () => {
    await using root = await createTestFolder({ "photo.jpg": "x", Makefile: "x", t: {} });
    for (const name of ["photo.jpg", "Makefile"]) await moveEntry(over(root.path), move(name, "t"));
    assert.deepEqual(await root.tree(), ["t/", "t/Makefile", "t/photo.jpg"]);
  });
});

describe("refused moves, which change nothing", () => {
  async function refused(root: TestFolder, source: string, target: string, code: string) {
    const before = await root.tree();
    await assert.rejects(
      moveEntry(over(root.path), move(source, target)),
      { code },
      `${source} → ${target}`,
    );
    assert.deepEqual(await root.tree(), before);
  }

  it("by the type of source and target", async () => {
    await using root = await createTestFolder({
      "a.txt": "a",
      "b.txt": "b",
      folder: { "a.txt": "other", below: { deep: {} } },
      folder2: { folder: {} },
      empty: { folder: {}, "b.txt": {} },
      link: new Link("folder2"),
      "dangling.txt": new Link("no"),
      taken: { "b.txt": new Link("no"), folder2: new Link("../folder2"), folder: "a file" },
    });
    const cases: [string, string, string][] = [
      // Into itself or below itself.
      ["folder", "folder", "invalid"],
      ["folder", "folder/below", "invalid"],
      ["folder", "folder/below/deep", "invalid"],
      ["folder", "folder/missing", "invalid"],
      ["a.txt", "a.txt", "invalid"],
      // Where it already is.
      ["a.txt", "", "conflict"],
      ["folder", "", "conflict"],
      ["folder/below", "folder", "conflict"],
      // Where the name is taken, by an empty folder, too.
      ["a.txt", "folder", "conflict"],
      ["folder", "folder2", "conflict"],
      ["folder", "empty", "conflict"],
      ["b.txt", "empty", "conflict"],
      ["folder", "taken", "conflict"],
      ["b.txt", "taken", "forbidden"],
      ["folder2", "taken", "forbidden"],
      // No such thing, or none that this is for.
      ["missing.txt", "folder", "not_found"],
      ["a.txt", "missing", "not_found"],
      ["missing/a.txt", "folder", "not_found"],
      ["a.txt", "b.txt", "invalid"],
      ["folder2", "b.txt", "invalid"],
      ["link", "folder", "forbidden"],
      ["dangling.txt", "folder", "forbidden"],
      ["a.txt", "link", "forbidden"],
      ["a.txt", "dangling.txt", "forbidden"],
      ["", "folder", "invalid"],
      ["../a.txt", "folder", "invalid"],
      ["a.txt", "..", "invalid"],
    ];
    for (const [source, target, code] of cases) await refused(root, source, target, code);
    assert.equal(await root.read("folder/a.txt"), "other");
    assert.equal(await root.read("taken/folder"), "a file");
  });

  it("a name with a common prefix is another name", async () => {
    await using root = await createTestFolder({ ab: {}, "ab c": {}, abc: { d: {} } });
    await moveEntry(over(root.path), move("ab", "abc"));
    await moveEntry(over(root.path), move("ab c", "abc/d"));
    assert.deepEqual(await root.tree(), ["abc/", "abc/ab/", "abc/d/", "abc/d/ab c/"]);
  });

  it("from one root to another, also where both are one folder", async () => {
    await using root = await createTestFolder({ "a.txt": "a", folder: {} });
    await using other = await createTestFolder({ folder: {} });
    const workspace = over(root.path, other.path, root.path);
    for (const destinationRootIndex of [1, 2])
      await assert.rejects(
        moveEntry(workspace, { ...move("a.txt", "folder"), destinationRootIndex }),
        { code: "invalid", message: /one root to another/ },
      );
    await assert.rejects(
      moveEntry(workspace, { ...move("a.txt", "folder"), destinationRootIndex: 3 }),
      {
        message: "Invalid root.",
      },
    );
    assert.deepEqual(await other.tree(), ["folder/"]);
  });
});

describe("collisions under load", () => {
  it("of many files of one name, one arrives and the others stay where they were", async () => {
    await using root = await createTestFolder({ target: {} });
    const count = 20;
    for (let at = 0; at < count; at += 1) {
      await mkdir(root.at(`from${at}`));
      await writeFile(root.at(`from${at}`, "a.txt"), `${at}`);
    }
    const results = await Promise.allSettled(
      Array.from({ length: count }, (_, at) =>
        moveEntry(over(root.path), move(`from${at}/a.txt`, "target")),
      ),
    );
    const winners = results.flatMap((result, at) => (result.status === "fulfilled" ? [at] : []));
    assert.equal(winners.length, 1);
    assert.equal(await root.read("target/a.txt"), `${winners[0]}`);
    const files = (await root.tree()).filter((path) => path.endsWith("a.txt"));
    assert.equal(files.length, count);
  });

  it("of many folders of one name, one arrives and the others stay whole", async () => {
    await using root = await createTestFolder({ target: {} });
    const count = 20;
    for (let at = 0; at < count; at += 1) {
      await mkdir(root.at(`from${at}`, "d"), { recursive: true });
      await writeFile(root.at(`from${at}`, "d", `${at}.txt`), "");
    }
    const results = await Promise.allSettled(
      Array.from({ length: count }, (_, at) =>
        moveEntry(over(root.path), move(`from${at}/d`, "target")),
      ),
    );
    assert.equal(results.filter((result) => result.status === "fulfilled").length, 1);
    const files = (await root.tree()).filter((path) => path.endsWith(".txt"));
    assert.equal(files.length, count);
    assert.equal(files.filter((path) => path.startsWith("target/d/")).length, 1);
  });

  it("a file moves while others try to link another into its place: never lost, never two", async () => {
    await using root = await createTestFolder({ a: { "f.txt": "mine" }, b: {} });
    for (let round = 0; round < 50; round += 1) {
      const moved = moveEntry(over(root.path), move("a/f.txt", "b")).catch((error) => error.code);
      await symlink("/etc/passwd", root.at("b", "f.txt")).catch(() => {});
      const outcome = await moved;
      if (typeof outcome === "string") {
        assert.equal(outcome, "forbidden");
        assert.equal(await root.read("a/f.txt"), "mine");
        await rm(root.at("b", "f.txt"));
        continue;
      }
      assert.equal(await root.read("b/f.txt"), "mine");
      await moveEntry(over(root.path), move("b/f.txt", "a"));
    }
    assert.deepEqual(await root.tree(), ["a/", "a/f.txt", "b/"]);
  });
});

it("answers by status, in either spelling", async () => {
  await using engine = await createTestEngine();
  await using root = await createTestFolder({ "a.txt": "", "b.txt": "", folder: {} });
  const uuid = await createWorkspaceOver(engine, [root.path]);
  const cases: [unknown, number][] = [
    [move("a.txt", "folder"), 200],
    [
      {
        source_root_index: 0,
        source_path: "b.txt",
        destination_root_index: 0,
        destination_path: "folder",
      },
      200,
    ],
    [move("folder/a.txt", ""), 200],
    [move("a.txt", ""), 409],
    [move("missing.txt", "folder"), 404],
    [move("a.txt", "missing"), 404],
    [move("", "folder"), 400],
    [move("\ud800", "folder"), 400],
    [{ ...move("a.txt", "folder"), sourceRootIndex: 1 }, 400],
    [{ ...move("a.txt", "folder"), sourceRootIndex: -1 }, 400],
    [{ ...move("a.txt", "folder"), sourceRootIndex: 0.5 }, 400],
    [{ ...move("a.txt", "folder"), sourceRootIndex: "0" }, 400],
    [{ ...move("a.txt", "folder"), destinationPath: null }, 400],
    [{ ...move("a.txt", "folder"), destinationPath: undefined }, 400],
    [{ sourcePath: "a.txt", destinationPath: "folder" }, 400],
    ["", 400],
    ["{", 400],
    ["null", 400],
  ];
  for (const [body, status] of cases) {
    const response = await engine.call("POST", filesPath(uuid, "/move"), body);
    assert.equal(response.status, status, `${JSON.stringify(body)}: ${await response.text()}`);
  }
  const unknown = await engine.call(
    "POST",
    filesPath(crypto.randomUUID(), "/move"),
    move("a.txt", "folder"),
  );
  assert.deepEqual(
    [unknown.status, await unknown.json()],
    [404, { error: "Workspace not found." }],
  );
  assert.deepEqual(engine.publishedEvents(), []);
});
