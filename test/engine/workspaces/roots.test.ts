import assert from "node:assert/strict";
import path from "node:path";
import { describe, it } from "node:test";
import { EngineError } from "../../../engine/errors.ts";
import {
  enabledRoots,
  findRoot,
  findRootProblem,
  listRoots,
  listUsableRoots,
  resolveRoot,
  toAbsolutePath,
} from "../../../engine/workspaces/roots.ts";
import { createTestFolder, Link, mockFsPromises } from "../../support/engine/files.ts";

const INVALID = { code: "invalid", message: "Invalid root." };

function workspaceOver(directories: unknown, ragConfig: unknown = null) {
  return {
    directories: JSON.stringify(directories),
    ragConfig: ragConfig === null ? null : JSON.stringify(ragConfig),
  };
}

describe("which roots a workspace has", () => {
  it("a root index is a position in directories", () => {
    const workspace = workspaceOver(["/b", "/a"]);
    assert.equal(findRoot(workspace, 0)?.path, "/b");
    assert.equal(findRoot(workspace, 1)?.path, "/a");
    for (const index of [2, -1, 0.5, Number.NaN])
      assert.equal(findRoot(workspace, index), undefined);
  });

  it("malformed directories are no roots", () => {
    assert.deepEqual(listRoots({ directories: "{", ragConfig: null }), []);
  });

  it("an entry with the matching path and enabled false disables a root, also beside other entries", () => {
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

describe("which roots can be used", () => {
  it("an existing folder, with or without a slash at its end", async () => {
    await using folder = await createTestFolder();
    for (const written of [folder.path, `${folder.path}/`, `${folder.path}//.`])
      assert.deepEqual(await resolveRoot(workspaceOver([written]), 0), {
        rootIndex: 0,
        path: folder.path,
      });
  });

  it("a folder behind a linked ancestor is no link itself", async () => {
    await using folder = await createTestFolder({ real: { root: {} }, alias: new Link("real") });
    const written = folder.at("alias", "root");
    assert.equal((await resolveRoot(workspaceOver([written]), 0)).path, written);
  });

  it("everything else is an invalid root", async () => {
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

  it("search leaves out unusable roots and keeps the positions of the others", async () => {
    await using folder = await createTestFolder({ a: {}, b: {} });
    const workspace = workspaceOver(["gone", folder.at("a"), folder.at("no"), folder.at("b")]);
    assert.deepEqual(await listUsableRoots(workspace), [
      { rootIndex: 1, path: folder.at("a") },
      { rootIndex: 3, path: folder.at("b") },
    ]);
  });
});

describe("the problem with a root", () => {
  it("is a part of a sentence", async () => {
    await using folder = await createTestFolder({
      "file.txt": "x",
      link: new Link("file.txt"),
      loop: new Link("loop"),
    });
    const cases: [string, string | undefined][] = [
      [folder.path, undefined],
      [folder.at("missing"), "does not exist"],
      [folder.at("file.txt", "below"), "does not exist"],
      [folder.at("file.txt"), "is not a folder"],
      [folder.at("link"), "is a link"],
      [`${folder.at("link")}/`, "is a link"],
      [folder.at("loop", "below"), "has links that lead in a circle"],
      [`/${"x".repeat(300)}`, "has a name that is too long"],
      ["relative", "is not an absolute path"],
      ["", "is not an absolute path"],
      [`${folder.path}\0`, "contains U+0000"],
      [`/${"x".repeat(4096)}`, "is longer than 4,096 characters"],
    ];
    for (const [written, expected] of cases)
      assert.equal(await findRootProblem(written), expected, written.slice(0, 80));
  });

  it("is reported with the position of the root, and a long path is cut", async () => {
    await using folder = await createTestFolder();
    const workspace = workspaceOver([folder.path, folder.at("gone"), "x".repeat(10_000)]);
    const detailsOf = async (index: number) => {
      const error = await resolveRoot(workspace, index).catch((error: unknown) => error);
      return error instanceof EngineError ? error.details : assert.fail();
    };
    assert.equal(await detailsOf(1), `directories[1] "${folder.at("gone")}" does not exist`);
    const cut = `directories[2] "${"x".repeat(200)}…" is longer than 4,096 characters`;
    assert.equal(await detailsOf(2), cut);
    assert.equal(await detailsOf(3), "directories[3] does not exist");
  });

  for (const [code, problem] of [
    ["EACCES", "cannot be read: EACCES"],
    ["EIO", "cannot be read: EIO"],
    ["EMFILE", undefined],
    ["ENOMEM", undefined],
  ] as const) {
    it(`${code} is ${problem ? "the root's fault" : "no fault of the root"}`, async (t) => {
      const failure = Object.assign(new Error(code), { code });
      mockFsPromises(t, "lstat", () => Promise.reject(failure));
      const workspace = workspaceOver(["/root"]);
      if (problem) {
        assert.equal(await findRootProblem("/root"), problem);
        assert.deepEqual(await listUsableRoots(workspace), []);
      } else {
        await assert.rejects(resolveRoot(workspace, 0), failure);
        await assert.rejects(listUsableRoots(workspace), failure);
      }
    });
  }

  it("separators at the end of a path cost its length and no more", { timeout: 60_000 }, () => {
    const written = `${"/".repeat(1_000_000)}x`;
    const roots = [{ path: `/a${"/".repeat(1_000_000)}`, enabled: false }];
    const listed = listRoots(workspaceOver([written, "/a", "/"], { roots }));
    assert.deepEqual(
      listed.map(({ enabled }) => enabled),
      [true, false, true],
    );
  });
});

it("on Windows an absolute path has a drive or a share", () => {
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
