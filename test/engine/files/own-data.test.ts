// Slow: it indexes a folder.
import assert from "node:assert/strict";
import { linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { FileSearchMatch } from "../../../engine/files/wire.ts";
import type { RagResult } from "../../../engine/retrieval/wire.ts";
import { createTestEngine, TEST_CONFIG } from "../../support/engine/engine.ts";
import { createTestFolder, createWorkspaceOver } from "../../support/engine/files.ts";

const TOKEN = "TOKEN-OF-THE-ENGINE";
const DATA = "home/data";
const DATA_FILES = { "runtime.json": TOKEN, logs: { "engine.txt": TOKEN } };

/** A workspace over a folder that holds the engine's data directory. */
async function setUp() {
  const folder = await createTestFolder({
    "a.txt": "plain",
    home: { data: DATA_FILES, "b.txt": "plain", other: {} },
  });
  linkSync(folder.at(DATA, "runtime.json"), folder.at("hard.json"));
  const config = { ...TEST_CONFIG, dataDirectory: folder.at(DATA) };
  const engine = await createTestEngine({ config });
  const workspace = await createWorkspaceOver(engine, [folder.path, folder.at(DATA)]);
  return { engine, folder, workspace };
}

const place = (path: string, rootIndex = 0) =>
  `rootIndex=${rootIndex}&path=${encodeURIComponent(path)}`;
const move = (sourcePath: string, destinationPath: string) => ({
  sourceRootIndex: 0,
  sourcePath,
  destinationRootIndex: 0,
  destinationPath,
});

const CALLS: [method: string, path: string, body?: object][] = [
  ["GET", `/files?${place(DATA)}`],
  ["GET", `/files?${place(`${DATA}/logs`)}`],
  ["GET", `/files?${place("", 1)}`],
  ["GET", `/files/content?${place(`${DATA}/runtime.json`)}`],
  ["GET", `/files/content?${place("runtime.json", 1)}`],
  ["GET", `/files/content?${place("hard.json")}`],
  ["GET", `/files/preview?${place(`${DATA}/page.pdf`)}`],
  ["POST", `/files/content?${place(`${DATA}/new.json`)}`, { content: "x" }],
  ["PUT", `/files/content?${place(`${DATA}/runtime.json`)}`, { content: "x" }],
  ["PUT", `/files/content?${place("hard.json")}`, { content: "x" }],
  ["POST", `/files/directory?${place(`${DATA}/new`)}`],
  ["POST", "/files/move", move(`${DATA}/runtime.json`, "")],
  ["POST", "/files/move", move("hard.json", "home")],
  ["POST", "/files/move", move("a.txt", DATA)],
  ["POST", "/files/move", move(DATA, "")],
  ["POST", "/files/move", move("home", "other")],
];

describe("The engine's own data, in a folder of a workspace", () => {
  for (const [method, path, body] of CALLS) {
    const at = `${path} ${JSON.stringify(body ?? "")}`;
    it(`is withheld from ${method} ${at}`, async () => {
      const { engine, folder, workspace } = await setUp();
      await using _folder = folder;
      await using _engine = engine;
      mkdirSync(folder.at("other"));
      writeFileSync(folder.at(DATA, "page.pdf"), "%PDF-1.4");
      const before = await folder.tree();
      const response = await engine.call(method, `/workspaces/${workspace}${path}`, body);
      assert.equal(response.status, 403);
      assert.deepEqual(await response.json(), { error: "The engine's own data is withheld." });
      assert.deepEqual(await folder.tree(), before);
      assert.equal(await folder.read(join(DATA, "runtime.json")), TOKEN);
    });
  }

  it("is in no search of names, and takes no place in it", async () => {
    const { engine, folder, workspace } = await setUp();
    await using _folder = folder;
    await using _engine = engine;
    for (let at = 0; at < 60; at += 1) writeFileSync(folder.at(DATA, `${at}.txt`), "");
    const find = async (q: string) => {
      const found = await engine.call(
        "GET",
        `/workspaces/${workspace}/files/search?limit=50&q=${q}`,
      );
      return ((await found.json()) as FileSearchMatch[]).map(({ relativePath }) => relativePath);
    };
    assert.deepEqual((await find("")).toSorted(), ["a.txt", "home/b.txt"]);
    assert.deepEqual(await find("json"), []);
    assert.deepEqual(await find("runtime"), []);
  });

  it("is in no index", async () => {
    const { engine, folder, workspace } = await setUp();
    await using _folder = folder;
    await using _engine = engine;
    const rag = `/workspaces/${workspace}/rag`;
    assert.equal((await engine.call("POST", `${rag}/index`)).status, 200);
    const search = { query: TOKEN, mode: "keyword" };
    const hits = (await (await engine.call("POST", `${rag}/search`, search)).json()) as RagResult[];
    assert.deepEqual(hits, []);
  });

  it("leaves the files beside it to be read and written", async () => {
    const { engine, folder, workspace } = await setUp();
    await using _folder = folder;
    await using _engine = engine;
    const call = (method: string, path: string, body?: object) =>
      engine.call(method, `/workspaces/${workspace}${path}`, body);
    assert.equal((await call("GET", `/files/content?${place("home/b.txt")}`)).status, 200);
    assert.equal((await call("GET", `/files?${place("home")}`)).status, 200);
    const written = await call("PUT", `/files/content?${place("home/b.txt")}`, { content: "new" });
    assert.equal(written.status, 200);
    assert.equal((await call("POST", "/files/move", move("home/b.txt", "home/other"))).status, 200);
  });
});
