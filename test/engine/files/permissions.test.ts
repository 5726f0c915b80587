import assert from "node:assert/strict";
import { chmod, chown, lstat } from "node:fs/promises";
import { it } from "node:test";
import { createTestEngine } from "../../support/engine/engine.ts";
import {
  createTestFolder,
  createWorkspaceOver,
  filesPath,
  move,
  PATH_CALLS,
  withoutSuperuser,
} from "../../support/engine/files.ts";

const OTHER_ACCOUNT = 65534;

it("a folder that the account may not use is 403 at every operation", async () => {
  await using engine = await createTestEngine();
  await using root = await createTestFolder({
    "file.txt": "x",
    folder: {},
    closed: { "inner.txt": "x", "inner.png": "x" },
  });
  const uuid = await createWorkspaceOver(engine, [root.path]);
  await chmod(root.path, 0o777);
  const before = await root.tree();
  await chmod(root.at("closed"), 0o000);
  await withoutSuperuser(async () => {
    for (const operation of PATH_CALLS) {
      const name = operation.name === "preview" ? "inner.png" : "inner.txt";
      const response = await operation.call(engine, uuid, `closed/${name}`);
      assert.equal(response.status, 403, operation.name);
      assert.deepEqual(await response.json(), {
        error: "The path cannot be accessed. Check its permissions.",
      });
    }
    const listed = await engine.call(
      "GET",
      filesPath(uuid, "", { rootIndex: "0", path: "closed" }),
    );
    assert.equal(listed.status, 403);
  });
  await chmod(root.at("closed"), 0o700);
  assert.deepEqual(await root.tree(), before);
});

it("a folder that may only be passed through is passed through", async () => {
  await using engine = await createTestEngine();
  await using root = await createTestFolder({ hall: { room: { "file.txt": "x" } } });
  const uuid = await createWorkspaceOver(engine, [root.path]);
  for (const folder of [root.path, root.at("hall", "room")]) await chmod(folder, 0o755);
  await chmod(root.at("hall"), 0o711);
  // Whatever the umask of this process is.
  await chmod(root.at("hall", "room", "file.txt"), 0o644);
  await withoutSuperuser(async () => {
    const query = { rootIndex: "0", path: "hall/room/file.txt" };
    const response = await engine.call("GET", filesPath(uuid, "/content", query));
    assert.equal(response.status, 200);
    // Its owner may list it: the other account here was the superuser before.
    if (process.getuid?.() !== 0) return;
    const hall = await engine.call("GET", filesPath(uuid, "", { rootIndex: "0", path: "hall" }));
    assert.equal(hall.status, 403);
  });
});

it("files and folders that may be read but not written are 403 for every change", async () => {
  await using engine = await createTestEngine();
  await using root = await createTestFolder({
    "read-only.txt": "old",
    fixed: { "file.txt": "old" },
    open: {},
  });
  const uuid = await createWorkspaceOver(engine, [root.path]);
  await chmod(root.path, 0o777);
  await chmod(root.at("open"), 0o777);
  await chmod(root.at("read-only.txt"), 0o444);
  await chmod(root.at("fixed"), 0o555);
  const before = await root.tree();
  const at = (path: string) => ({ rootIndex: "0", path });
  const content = { content: "new" };
  await withoutSuperuser(async () => {
    const calls: [string, string, unknown][] = [
      ["PUT", filesPath(uuid, "/content", at("read-only.txt")), content],
      ["PUT", filesPath(uuid, "/content", at("fixed/file.txt")), content],
      ["POST", filesPath(uuid, "/content", at("fixed/new.txt")), content],
      ["POST", filesPath(uuid, "/directory", at("fixed/new")), undefined],
      ["POST", filesPath(uuid, "/move"), move("fixed/file.txt", "open")],
      ["POST", filesPath(uuid, "/move"), move("read-only.txt", "fixed")],
    ];
    for (const [method, path, body] of calls) {
      const response = await engine.call(method, path, body);
      assert.equal(response.status, 403, `${method} ${path}: ${await response.text()}`);
    }
  });
  await chmod(root.at("fixed"), 0o755);
  assert.deepEqual(await root.tree(), before);
  assert.equal(await root.read("read-only.txt"), "old");
});

it("search skips folders and roots that cannot be read", async () => {
  await using engine = await createTestEngine();
  await using root = await createTestFolder({
    a: { "hit.txt": "" },
    b: { "hit.txt": "" },
    "hit.txt": "",
  });
  await using closed = await createTestFolder({ "hit.txt": "" });
  const uuid = await createWorkspaceOver(engine, [closed.path, root.path]);
  for (const folder of [root.path, root.at("b")]) await chmod(folder, 0o755);
  await chmod(root.at("a"), 0o000);
  await chmod(closed.path, 0o000);
  await withoutSuperuser(async () => {
    const response = await engine.call("GET", filesPath(uuid, "/search", { q: "hit" }));
    assert.deepEqual(await response.json(), [
      { rootIndex: 1, name: "hit.txt", relativePath: "b/hit.txt" },
      { rootIndex: 1, name: "hit.txt", relativePath: "hit.txt" },
    ]);
  });
  await chmod(root.at("a"), 0o700);
  await chmod(closed.path, 0o700);
});

it("a file of another owner keeps that owner and its mode when it is replaced", async () => {
  // Only the superuser can give files away; for anybody else the owner is the same anyway.
  const owner = process.getuid?.() === 0 ? OTHER_ACCOUNT : (process.getuid?.() ?? 0);
  await using engine = await createTestEngine();
  await using root = await createTestFolder({ "script.sh": "old" });
  const uuid = await createWorkspaceOver(engine, [root.path]);
  if (owner === OTHER_ACCOUNT) await chown(root.at("script.sh"), OTHER_ACCOUNT, OTHER_ACCOUNT);
  await chmod(root.at("script.sh"), 0o754);
  const path = filesPath(uuid, "/content", { rootIndex: "0", path: "script.sh" });
  assert.equal((await engine.call("PUT", path, { content: "new" })).status, 200);
  const { uid, mode } = await lstat(root.at("script.sh"));
  assert.deepEqual({ uid, mode: mode & 0o7777 }, { uid: owner, mode: 0o754 });
});

it("a file that the account may not link is moved too, and never over another", async () => {
  await using engine = await createTestEngine();
  await using root = await createTestFolder({
    "foreign.txt": "foreign",
    free: {},
    taken: { "foreign.txt": "old" },
  });
  const uuid = await createWorkspaceOver(engine, [root.path]);
  for (const folder of [root.path, root.at("free"), root.at("taken")]) await chmod(folder, 0o777);
  // On Linux only the owner may link a file; a rename checks the folders alone.
  await chmod(root.at("foreign.txt"), 0o644);
  await withoutSuperuser(async () => {
    const moveTo = (path: string) =>
      engine.call("POST", filesPath(uuid, "/move"), move("foreign.txt", path));
    assert.equal((await moveTo("taken")).status, 409);
    assert.equal((await moveTo("free")).status, 200);
  });
  assert.equal(await root.read("free/foreign.txt"), "foreign");
  assert.equal(await root.read("taken/foreign.txt"), "old");
  assert.deepEqual(await root.tree(), ["free/", "free/foreign.txt", "taken/", "taken/foreign.txt"]);
});
