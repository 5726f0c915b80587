import assert from "node:assert/strict";
import { rename, rm, symlink, writeFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { searchFiles } from "../../../engine/files/search.ts";
import { createTestEngine } from "../../support/engine/engine.ts";
import {
  createTestFolder,
  createWorkspaceOver,
  filesPath,
  Link,
  type TestFolder,
} from "../../support/engine/files.ts";

const SKIPPED =
  ".git .hg .svn .engine .dart_tool node_modules build dist bin obj __pycache__ .venv venv".split(
    " ",
  );

async function find(folder: TestFolder, query: string, limit = 50): Promise<string[]> {
  const root = { rootIndex: 0, path: folder.path };
  return (await searchFiles([root], { query, limit })).map((match) => match.relativePath);
}

describe("what is found", () => {
  it("files whose path contains the query, without case, in names and folders", async () => {
    await using root = await createTestFolder({
      "Readme.md": "",
      src: { "main.ts": "", "read.ts": "" },
      readers: { "x.txt": "", deep: { "y.txt": "" } },
      "ÄRGER.txt": "",
    });
    assert.deepEqual(await find(root, "READ"), [
      "Readme.md",
      "src/read.ts",
      "readers/deep/y.txt",
      "readers/x.txt",
    ]);
    assert.deepEqual(await find(root, "ärger"), ["ÄRGER.txt"]);
    assert.deepEqual(await find(root, "src/ma"), ["src/main.ts"]);
    assert.deepEqual(await find(root, "deep/"), ["readers/deep/y.txt"]);
    assert.deepEqual(await find(root, "nothing"), []);
  });

  it("exact name, start of name, part of name, part of path; then by path", async () => {
    await using root = await createTestFolder({
      z: { "key.ts": "", "key.ts.bak": "" },
      a: { "monkey.ts": "", "KEY.TS": "" },
      "key.ts": { "other.md": "" },
      "akey.ts": "",
      "key.tsx": "",
    });
    assert.deepEqual(await find(root, "key.ts"), [
      "a/KEY.TS",
      "z/key.ts",
      "key.tsx",
      "z/key.ts.bak",
      "a/monkey.ts",
      "akey.ts",
      "key.ts/other.md",
    ]);
  });

  it("an empty query finds every file, by path", async () => {
    await using root = await createTestFolder({
      "b.txt": "",
      a: { "z.txt": "" },
      "C.txt": "",
      ".env": "",
    });
    assert.deepEqual(await find(root, ""), [".env", "a/z.txt", "b.txt", "C.txt"]);
    assert.deepEqual(await find(root, "", 2), [".env", "a/z.txt"]);
  });

  it("characters are taken literally", async () => {
    await using root = await createTestFolder({
      "a.b": "",
      axb: "",
      "[x]": "",
      "--pre=x": "",
      "50%": "",
    });
    assert.deepEqual(await find(root, "a.b"), ["a.b"]);
    assert.deepEqual(await find(root, "[x]"), ["[x]"]);
    assert.deepEqual(await find(root, "--pre="), ["--pre=x"]);
    assert.deepEqual(await find(root, "%"), ["50%"]);
    assert.deepEqual(await find(root, ".*"), []);
  });

  it("folders of the skip list at any depth are not entered; files of these names are found", async () => {
    for (const name of SKIPPED) {
      await using root = await createTestFolder({
        [name]: { "hit.txt": "" },
        deep: { [name]: { below: { "hit.txt": "" } }, "hit.txt": "" },
        files: { [name]: "" },
        [`${name}x`]: { "hit.txt": "" },
        [`x${name}`]: { "hit.txt": "" },
      });
      const found = await find(root, "hit");
      assert.deepEqual(
        found,
        ["deep/hit.txt", `${name}x/hit.txt`, `x${name}/hit.txt`].sort(),
        name,
      );
      assert.ok((await find(root, name)).includes(`files/${name}`), name);
    }
  });

  it("a root that is itself called like a skipped folder is searched", async () => {
    await using outer = await createTestFolder({ build: { "hit.txt": "" } });
    const found = await searchFiles([{ rootIndex: 0, path: outer.at("build") }], {
      query: "",
      limit: 9,
    });
    assert.equal(found.length, 1);
  });

  it("other names that begin with a dot are searched, and so are files in .gitignore", async () => {
    await using root = await createTestFolder({
      ".gitignore": "*.log",
      "a.log": "",
      ".github": { "a.log": "" },
    });
    assert.deepEqual(await find(root, ".log"), [".github/a.log", "a.log"]);
  });

  it("links are neither found nor followed, and folders are not found", async () => {
    await using outer = await createTestFolder({
      outside: { "hit.txt": "" },
      root: {
        "hit-link.txt": new Link("real.txt"),
        "hit-folder-link": new Link("../outside"),
        "hit-dangling": new Link("no"),
        "hit-loop": new Link("."),
        "hit-folder": { "real.txt": "" },
      },
    });
    const root = { rootIndex: 0, path: outer.at("root") };
    assert.deepEqual(await searchFiles([root], { query: "hit", limit: 50 }), [
      { rootIndex: 0, name: "real.txt", relativePath: "hit-folder/real.txt" },
    ]);
  });
});

it("names that no request can have are not found", async () => {
  if (process.platform === "win32") return;
  await using root = await createTestFolder({
    "..\\hit": "",
    "\\hit": "",
    "a\\hit": "",
    "odd\uFFFDhit": "",
  });
  if (process.platform === "linux") {
    // Bytes that are no UTF-8: Node can only show them as something else.
    await writeFile(Buffer.concat([Buffer.from(`${root.path}/hit`), Buffer.from([0xff])]), "");
  }
  assert.deepEqual(await find(root, "hit"), ["a\\hit", "odd\uFFFDhit"]);
});

describe("roots", () => {
  it("all are searched, by their positions; those that cannot be used are left out", async () => {
    await using engine = await createTestEngine();
    await using a = await createTestFolder({ "hit.txt": "", x: { "hit.txt": "" } });
    await using b = await createTestFolder({ "hit.txt": "", link: new Link(".") });
    const uuid = await createWorkspaceOver(engine, [
      "relative",
      a.path,
      a.at("gone"),
      b.path,
      b.at("link"),
      a.at("hit.txt"),
    ]);
    const response = await engine.call("GET", filesPath(uuid, "/search", { q: "hit" }));
    assert.deepEqual(await response.json(), [
      { rootIndex: 1, name: "hit.txt", relativePath: "hit.txt" },
      { rootIndex: 3, name: "hit.txt", relativePath: "hit.txt" },
      { rootIndex: 1, name: "hit.txt", relativePath: "x/hit.txt" },
    ]);
  });

  it("without any there are no hits; an unknown workspace is 404", async () => {
    await using engine = await createTestEngine();
    for (const directories of [null, "", "[]", "{", '"/tmp"', "[1]", '["/tmp", 1]']) {
      const made = await engine.call("POST", "/workspaces", { name: "w", directories });
      const { uuid } = (await made.json()) as { uuid: string };
      const response = await engine.call("GET", filesPath(uuid, "/search", { q: "" }));
      assert.deepEqual([response.status, await response.json()], [200, []], String(directories));
    }
    const unknown = await engine.call("GET", filesPath(crypto.randomUUID(), "/search"));
    assert.deepEqual(
      [unknown.status, await unknown.json()],
      [404, { error: "Workspace not found." }],
    );
  });
});

describe("while the disk changes", () => {
  it("a cancelled search ends with the reason of its signal and leaves no file open", async () => {
    await using root = await createTestFolder(
      Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`d${at}`, { x: "" }])),
    );
    const controller = new AbortController();
    const search = searchFiles(
      [{ rootIndex: 0, path: root.path }],
      { query: "", limit: 1 },
      controller.signal,
    );
    controller.abort(new Error("enough"));
    await assert.rejects(search, /enough/);
    await rm(root.path, { recursive: true });
  });

  it("folders that appear and vanish do not disturb the others", async () => {
    await using root = await createTestFolder({ stays: { "hit.txt": "" }, comes: { "x.txt": "" } });
    for (let round = 0; round < 20; round += 1) {
      const searching = find(root, "hit");
      await rename(root.at("comes"), root.at("goes"));
      await symlink("stays", root.at("comes"));
      assert.deepEqual(await searching, ["stays/hit.txt"]);
      await rm(root.at("comes"));
      await rename(root.at("goes"), root.at("comes"));
    }
  });
});
