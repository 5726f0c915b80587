import assert from "node:assert/strict";
import path from "node:path";
import { suite, test } from "node:test";
import {
  enabledRoots,
  findRoot,
  listRoots,
  listUsableRoots,
  resolveRoot,
  toAbsolutePath,
} from "../../../engine/workspaces/roots.ts";
import { createTestFolder, Link } from "../../support/roots.ts";

const INVALID = { code: "invalid", message: "Invalid root." };

function workspaceOver(directories: unknown, ragConfig: unknown = null) {
  return {
    directories: JSON.stringify(directories),
    ragConfig: ragConfig === null ? null : JSON.stringify(ragConfig),
  };
}

suite("which roots a workspace has", () => {
  test("a root index is a position in directories", () => {
    const workspace = workspaceOver(["/b", "/a"]);
    assert.equal(findRoot(workspace, 0)?.path, "/b");
    assert.equal(findRoot(workspace, 1)?.path, "/a");
    for (const index of [2, -1, 0.5, Number.NaN])
      assert.equal(findRoot(workspace, index), undefined);
  });

  test("malformed directories are no roots", () => {
    assert.deepEqual(listRoots({ directories: "{", ragConfig: null }), []);
  });

  test("an entry with the matching path and enabled false disables a root, also beside other entries", () => {
    const roots = [
      { path: "/a", enabled: true },
      { path: "/a", enabled: false },
      { path: "/b/", enabled: false },
      { path: "/C", enabled: false },
    ];
    const workspace = workspaceOver(["/a", "/b", "/c", "/a/"], { roots });
    assert.deepEqual(
      listRoots(workspace).map((root) => root.enabled),
      [false, false, true, false],
    );
    assert.deepEqual(
      enabledRoots(workspace).map((root) => root.rootIndex),
      [2],
    );
  });
});

suite("which roots can be used", () => {
  test("an existing folder, with or without a slash at its end", async () => {
    await using folder = await createTestFolder();
    for (const written of [folder.path, `${folder.path}/`, `${folder.path}//.`])
      assert.deepEqual(await resolveRoot(workspaceOver([written]), 0), {
        rootIndex: 0,
        path: folder.path,
      });
  });

  test("a folder behind a linked ancestor is no link itself", async () => {
    await using folder = await createTestFolder({ real: { root: {} }, alias: new Link("real") });
    const written = folder.at("alias", "root");
    assert.equal((await resolveRoot(workspaceOver([written]), 0)).path, written);
  });

  test("everything else is an invalid root", async () => {
    await using folder = await createTestFolder({
      "file.txt": "x",
      real: {},
      link: new Link("real"),
      dangling: new Link("gone"),
      loop: new Link("loop"),
    });
    const cases = [
      folder.at("missing"),
      folder.at("file.txt"),
      folder.at("link"),
      `${folder.at("link")}/`,
      `${folder.at("link")}/.`,
      folder.at("dangling"),
      folder.at("loop"),
      "relative",
      ".",
      "",
      `${folder.path}\0`,
      "~",
    ];
    const workspace = workspaceOver(cases);
    for (const [index, written] of cases.entries())
      await assert.rejects(resolveRoot(workspace, index), INVALID, JSON.stringify(written));
    await assert.rejects(resolveRoot(workspace, cases.length), INVALID);
    assert.deepEqual(await listUsableRoots(workspace), []);
  });

  test("search leaves out what cannot be used and keeps the positions of the others", async () => {
    await using folder = await createTestFolder({ a: {}, b: {} });
    const workspace = workspaceOver(["gone", folder.at("a"), folder.at("no"), folder.at("b")]);
    assert.deepEqual(await listUsableRoots(workspace), [
      { rootIndex: 1, path: folder.at("a") },
      { rootIndex: 3, path: folder.at("b") },
    ]);
  });
});

test("on Windows an absolute path has a drive or a share", () => {
  const cases: [string, string | undefined][] = [
    ["C:\\work", "C:\\work"],
    ["c:/work/", "c:\\work"],
    ["C:\\", "C:\\"],
    ["\\\\server\\share\\work", "\\\\server\\share\\work"],
    ["C:work", undefined],
    ["\\work", undefined],
    ["/work", undefined],
    ["work", undefined],
    ["C:", undefined],
    ["C:\\wo\0rk", undefined],
  ];
  for (const [written, expected] of cases)
    assert.equal(toAbsolutePath(written, path.win32), expected, written);
});
