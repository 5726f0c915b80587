import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { createDirectory, listDirectory } from "../../../engine/files/directory.ts";
import { createTestEngine } from "../../support/engine/engine.ts";
import {
  createTestFolder,
  createWorkspaceOver,
  filesPath,
  Link,
} from "../../support/engine/files.ts";

describe("listing", () => {
  it("folders come first, then names without case", async () => {
    await using root = await createTestFolder({
      "b.txt": "",
      "A.txt": "",
      a2: {},
      Z: {},
      "Ä.txt": "",
      "_.txt": "",
      b: {},
      ".hidden": "",
      ".git": {},
      // The folder of an index.
      ".engine": { "sidecar.db": "" },
    });
    assert.deepEqual(await listDirectory(root, ""), [
      { name: ".git", relativePath: ".git", isDirectory: true },
      { name: "a2", relativePath: "a2", isDirectory: true },
      { name: "b", relativePath: "b", isDirectory: true },
      { name: "Z", relativePath: "Z", isDirectory: true },
      { name: ".hidden", relativePath: ".hidden", isDirectory: false },
      { name: "_.txt", relativePath: "_.txt", isDirectory: false },
      { name: "A.txt", relativePath: "A.txt", isDirectory: false },
      { name: "b.txt", relativePath: "b.txt", isDirectory: false },
      { name: "Ä.txt", relativePath: "Ä.txt", isDirectory: false },
    ]);
  });

  it("the folder of the index is not there", async () => {
    await using root = await createTestFolder({ ".engine": { "sidecar.db": "" }, a: {} });
    for (const path of [".engine", ".ENGINE", "a/.engine"]) {
      await assert.rejects(listDirectory(root, path), { details: /engine's own folder/ });
      await assert.rejects(createDirectory(root, path), { details: /engine's own folder/ });
    }
  });

  it("names that differ only in case keep one order", async () => {
    await using root = await createTestFolder({ a: "", A: "", B: "", b: "" });
    const names = (await listDirectory(root, "")).map((entry) => entry.name);
    if (names.length === 4) assert.deepEqual(names, ["A", "a", "B", "b"]);
  });

  it("relative paths lead to the entries", async () => {
    await using root = await createTestFolder({ a: { b: { "c.txt": "" } } });
    assert.deepEqual(await listDirectory(root, "a/b"), [
      { name: "c.txt", relativePath: "a/b/c.txt", isDirectory: false },
    ]);
  });

  it("links are not listed, nor names that no request can have", async () => {
    await using root = await createTestFolder({
      "a.txt": "",
      "l.txt": new Link("a.txt"),
      lf: new Link("."),
      dangling: new Link("no"),
      "..\\x": "",
      "odd\uFFFD": "",
    });
    if (process.platform === "linux") {
      // Bytes that are no UTF-8; Node can only show them as something else.
      await writeFile(Buffer.concat([Buffer.from(`${root.path}/`), Buffer.from([0xff, 0xfe])]), "");
    }
    const names = (await listDirectory(root, "")).map((entry) => entry.name);
    assert.deepEqual(names, ["a.txt", "odd\uFFFD"]);
  });

  it("a large folder is listed whole and in order", async () => {
    await using root = await createTestFolder({ many: {} });
    const names = Array.from(
      { length: 3_000 },
      (_, at) => `f${String((at * 7919) % 3_000).padStart(5, "0")}`,
    );
    await Promise.all(names.map((name) => writeFile(root.at("many", name), "")));
    const listed = (await listDirectory(root, "many")).map((entry) => entry.name);
    assert.deepEqual(listed, names.toSorted());
  });

  it("by status", async () => {
    await using engine = await createTestEngine();
    await using root = await createTestFolder({ "a.txt": "", empty: {} });
    const uuid = await createWorkspaceOver(engine, [root.path, "relative", root.at("gone")]);
    const cases: [Record<string, string>, number][] = [
      [{ rootIndex: "0" }, 200],
      [{ rootIndex: "0", path: "" }, 200],
      [{ rootIndex: "0", path: "empty" }, 200],
      [{ rootIndex: "00", path: "empty" }, 200],
      [{ rootIndex: "0", path: "a.txt" }, 400],
      [{ rootIndex: "0", path: "missing" }, 404],
      [{ rootIndex: "1" }, 400],
      [{ rootIndex: "2" }, 400],
      [{ rootIndex: "3" }, 400],
      [{ rootIndex: "99999999999999999999" }, 400],
      [{}, 400],
      [{ path: "empty" }, 400],
      [{ rootIndex: "" }, 400],
      [{ rootIndex: " " }, 400],
      [{ rootIndex: "-1" }, 400],
      [{ rootIndex: "0.5" }, 400],
      [{ rootIndex: "1e0" }, 400],
      [{ rootIndex: "0x0" }, 400],
      [{ rootIndex: "+0" }, 400],
      [{ rootIndex: "zero" }, 400],
      [{ rootIndex: "NaN" }, 400],
    ];
    for (const [query, status] of cases) {
      const response = await engine.call("GET", filesPath(uuid, "", query));
      const body = await response.text();
      assert.equal(response.status, status, `${JSON.stringify(query)}: ${body}`);
      if (status !== 200) assert.match(JSON.parse(body).error, /./);
    }
    const twice = await engine.call(
      "GET",
      `/workspaces/${uuid}/files?rootIndex=0&path=empty&path=a.txt`,
    );
    assert.equal(twice.status, 400);
    const response = await engine.call(
      "GET",
      filesPath(crypto.randomUUID(), "", { rootIndex: "0" }),
    );
    assert.equal(response.status, 404);
    assert.deepEqual(await response.json(), { error: "Workspace not found." });
  });
});

describe("creating a folder", () => {
  it("answers its entry and creates it alone", async () => {
    await using root = await createTestFolder({ a: {} });
    assert.deepEqual(await createDirectory(root, "a/b"), {
      name: "b",
      relativePath: "a/b",
      isDirectory: true,
    });
    assert.deepEqual(await root.tree(), ["a/", "a/b/"]);
  });

  it("by status; any body is ignored", async () => {
    await using engine = await createTestEngine();
    await using root = await createTestFolder({
      "a.txt": "",
      folder: {},
      link: new Link("folder"),
      dangling: new Link("no"),
    });
    const uuid = await createWorkspaceOver(engine, [root.path]);
    const cases: [Record<string, string>, number][] = [
      [{ rootIndex: "0", path: "new" }, 200],
      [{ rootIndex: "0", path: "new" }, 409],
      [{ rootIndex: "0", path: "folder" }, 409],
      [{ rootIndex: "0", path: "a.txt" }, 409],
      [{ rootIndex: "0", path: "link" }, 403],
      [{ rootIndex: "0", path: "dangling" }, 403],
      [{ rootIndex: "0", path: "missing/new" }, 404],
      [{ rootIndex: "0", path: "a.txt/new" }, 404],
      [{ rootIndex: "0", path: "" }, 400],
      [{ rootIndex: "0" }, 400],
      [{ path: "new" }, 400],
    ];
    for (const [query, status] of cases) {
      const response = await engine.call("POST", filesPath(uuid, "/directory", query), "{no json");
      assert.equal(response.status, status, `${JSON.stringify(query)}: ${await response.text()}`);
    }
    assert.deepEqual(await root.tree(), ["a.txt", "dangling@", "folder/", "link@", "new/"]);
    assert.deepEqual(engine.publishedEvents(), []);
  });

  it("of many requests to create one folder, one succeeds and the others get 409", async () => {
    await using root = await createTestFolder();
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => createDirectory(root, "new")),
    );
    assert.equal(results.filter((result) => result.status === "fulfilled").length, 1);
    for (const result of results)
      if (result.status === "rejected") assert.equal(result.reason.code, "conflict");
  });
});
