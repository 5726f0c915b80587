import assert from "node:assert/strict";
import { realpathSync } from "node:fs";
import { link, mkdir, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { openFolderByDescriptor, openFolderByPath } from "../../../engine/files/open-folder.ts";
import { openWithin } from "../../../engine/files/within.ts";
import { holdFolder, readFileWithin } from "../../../engine/files/within-sync.ts";
import { createTestFolder, Link } from "../../support/engine/files.ts";

const WRONG_TYPE = new Error("no folder");
const wrongType = () => WRONG_TYPE;

describe("opening a file below a root", () => {
  it("returns the file's content, size and identity; hard links are files like any other", async () => {
    await using outer = await createTestFolder({ "a.bin": "content", root: { a: {} } });
    await link(outer.at("a.bin"), outer.at("root", "a", "hard.bin"));
    await using file = await openWithin({ path: outer.at("root") }, "a/hard.bin");
    assert.equal(file.sizeBytes, 7);
    assert.equal(await file.handle.readFile("utf8"), "content");
    const root = realpathSync(outer.at("root"));
    const read = readFileWithin(root, "a/hard.bin", 7);
    assert.equal(read.kind === "bytes" && Buffer.from(read.bytes).toString(), "content");
    assert.deepEqual(readFileWithin(root, "a/hard.bin", 6), { kind: "too-large" });
  });

  it("refuses anything but a file of the root", async () => {
    await using outer = await createTestFolder({
      "secret.txt": "",
      root: { folder: {}, out: new Link(".."), "link.txt": new Link("../secret.txt"), "a.txt": "" },
      alias: new Link("root"),
    });
    const root = { path: outer.at("root") };
    // An index run takes paths from its own walk, which never climbs.
    const cases: [string, string][] = [
      ["folder", "invalid"],
      ["link.txt", "forbidden"],
      ["out/secret.txt", "forbidden"],
      ["../secret.txt", "invalid"],
      ["a.txt/b", "not_found"],
      ["missing", "not_found"],
      ["", "invalid"],
    ];
    for (const [path, code] of cases) {
      await assert.rejects(openWithin(root, path), { code }, path);
      if (path.startsWith("..")) continue;
      assert.deepEqual(readFileWithin(realpathSync(root.path), path, 10), { kind: "gone" }, path);
    }
    for (const path of [outer.at("alias"), outer.at("gone"), outer.at("root", "a.txt")])
      await assert.rejects(openWithin({ path }, "a.txt"), { message: "Invalid root." }, path);
  });
});

const strategies = {
  openFolderByPath,
  ...(process.platform === "linux" && { openFolderByDescriptor }),
};

for (const [name, open] of Object.entries(strategies))
  describe(name, () => {
    it("opens the root and folders below it", async () => {
      await using root = await createTestFolder({ a: { b: { "c.txt": "" } } });
      for (const [segments, names] of [
        [[], ["a"]],
        [["a"], ["b"]],
        [["a", "b"], ["c.txt"]],
      ] as const) {
        await using folder = await open(root.path, segments, wrongType);
        assert.deepEqual(await readdir(folder.address), names);
        await folder.check();
      }
    });

    it("refuses links at every position, and reports every other problem", async () => {
      await using outer = await createTestFolder({
        root: {
          a: { link: new Link("."), "f.txt": "" },
          link: new Link("a"),
          dangling: new Link("no"),
        },
        alias: new Link("root"),
      });
      const root = outer.at("root");
      for (const segments of [
        ["link"],
        ["link", "x"],
        ["a", "link"],
        ["a", "link", "x"],
        ["dangling"],
        ["dangling", "x"],
      ]) {
        const path = segments.join("/");
        await assert.rejects(open(root, segments, wrongType), { code: "forbidden" }, path);
        assert.equal(holdFolder(realpathSync(root), path), "gone", path);
      }
      await assert.rejects(open(root, ["a", "f.txt"], wrongType), WRONG_TYPE);
      await assert.rejects(
        open(root, ["a", "f.txt", "x"], wrongType),
        (error: Error) => error !== WRONG_TYPE,
      );
      await assert.rejects(open(outer.at("alias"), [], wrongType), { message: "Invalid root." });
      await assert.rejects(open(outer.at("gone"), [], wrongType), { message: "Invalid root." });
    });
  });

it("by descriptor: the address stays the folder when its path changes", async () => {
  if (process.platform !== "linux") return;
  await using outer = await createTestFolder({
    root: { a: { b: { "mine.txt": "" } } },
    outside: { b: { "secret.txt": "" } },
  });
  await using folder = await openFolderByDescriptor(outer.at("root"), ["a", "b"], wrongType);
  await rename(outer.at("root", "a"), outer.at("root", "moved"));
  await symlink(outer.at("outside"), outer.at("root", "a"));
  await folder.check();
  assert.deepEqual(await readdir(folder.address), ["mine.txt"]);
  await writeFile(`${folder.address}/new.txt`, "new");
  assert.equal(await outer.read("root/moved/b/new.txt"), "new");
  assert.deepEqual(await readdir(outer.at("outside", "b")), ["secret.txt"]);
});

describe("by path: the operation is refused", () => {
  it("where a segment has become a link, another folder or nothing", async () => {
    const swaps = [
      (at: string, outside: string) => symlink(outside, at),
      (at: string) => mkdir(at),
      async () => {},
    ];
    for (const swap of swaps) {
      await using outer = await createTestFolder({ root: { a: { b: {} } }, outside: { b: {} } });
      await using folder = await openFolderByPath(outer.at("root"), ["a", "b"], wrongType);
      await folder.check();
      await rename(outer.at("root", "a"), outer.at("moved"));
      await swap(outer.at("root", "a"), outer.at("outside"));
      await assert.rejects(folder.check(), { code: "forbidden" });
    }
  });

  it("where an opened file is not the one that the folder has under its name", async () => {
    await using root = await createTestFolder({ "a.txt": "a", "b.txt": "b" });
    await using folder = await openFolderByPath(root.path, [], wrongType);
    await using file = await openWithin(root, "a.txt");
    const opened = await file.handle.stat({ bigint: true });
    assert.equal(await folder.holds("a.txt", opened), true);
    await rename(root.at("b.txt"), root.at("a.txt"));
    assert.equal(await folder.holds("a.txt", opened), false);
    assert.equal(await readFile(root.at("a.txt"), "utf8"), "b");
  });
});
