import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RagResult, RagRootIndex } from "../../engine/retrieval/wire.ts";
import { createTestFolder, filesPath, move } from "../support/engine/files.ts";
import {
  type EngineProcess,
  errorLines,
  readLog,
  startEngineProcess,
  watchHealth,
} from "../support/engine/process.ts";
import { json } from "../support/http.ts";
import { WATCHDOG_MS } from "../support/time.ts";
import { createHostileTree, growFile, LINKS, STRANGE_NAMES } from "./programs/hostile-tree.ts";

interface Entry {
  name: string;
  relativePath: string;
  isDirectory: boolean;
}

/** Calls of one engine; none may take longer than the watchdog. */
class Caller {
  readonly #engine: EngineProcess;
  constructor(engine: EngineProcess) {
    this.#engine = engine;
  }

  async call(method: string, path: string, body?: unknown): Promise<Response> {
    const { baseUrl, runtime } = this.#engine;
    return fetch(baseUrl + path, {
      method,
      headers: { Authorization: `Bearer ${runtime.token}` },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(WATCHDOG_MS),
    });
  }

  async status(method: string, path: string, body?: unknown): Promise<number> {
    const response = await this.call(method, path, body);
    const text = await response.text();
    if (response.status >= 400) assert.equal(typeof JSON.parse(text).error, "string", text);
    return response.status;
  }

  async workspace(...roots: string[]): Promise<string> {
    const input = { name: "w", directories: JSON.stringify(roots) };
    return (await json(await this.call("POST", "/workspaces", input))).uuid;
  }
}

const at = (path: string, rootIndex = "0") => ({ rootIndex, path });

describe("A root with one of every hostile file", () => {
  it("is listed, read, shown, changed, searched and indexed with the right answers", async () => {
    await using tree = await createHostileTree();
    await using growing = growFile(tree.at("growing.txt"));
    await using engine = await startEngineProcess();
    await using health = watchHealth(engine);
    const caller = new Caller(engine);
    const uuid = await caller.workspace(tree.path);
    const read = (path: string) => caller.status("GET", filesPath(uuid, "/content", at(path)));
    const show = (path: string) => caller.status("GET", filesPath(uuid, "/preview", at(path)));

    const entries: Entry[] = await json(await caller.call("GET", filesPath(uuid, "", at(""))));
    const names = new Set(entries.map(({ name }) => name));
    for (const name of ["plain.txt", "folder", "deep", ...STRANGE_NAMES])
      assert.ok(names.has(name), name);

    for (const name of STRANGE_NAMES) {
      assert.equal(await read(name), 200, JSON.stringify(name));
    }
    const operations = async (path: string) => [
      await read(path),
      await show(path),
      await caller.status("PUT", filesPath(uuid, "/content", at(path)), { content: "x" }),
      await caller.status("POST", filesPath(uuid, "/move"), move(path, "folder")),
    ];
    for (const name of ["pipe.txt", "pipe.png", "socket.txt"]) {
      assert.deepEqual(await operations(name), [400, 400, 400, 400], name);
    }
    for (const name of Object.keys(LINKS)) {
      // Text operations look at the extension first, previews likewise.
      const expected = name.endsWith(".png") ? [400, 403, 400, 403] : [403, 400, 403, 403];
      assert.deepEqual(await operations(name), expected, name);
      for (const below of ["/etc/x.txt", "/x.txt"])
        assert.equal(await read(name + below), 403, name);
    }
    assert.deepEqual([await read("sparse.txt"), await show("sparse.png")], [400, 400]);
    assert.deepEqual([await read("deep"), await read(`${"deep/".repeat(2_000)}x`)], [400, 400]);
    assert.equal(
      await caller.status("GET", filesPath(uuid, "", at("deep/".repeat(800).slice(0, -1)))),
      200,
    );
    assert.ok([200, 400].includes(await read("growing.txt")));

    const found: Entry[] = await json(
      await caller.call("GET", filesPath(uuid, "/search", { q: "txt" })),
    );
    assert.ok(found.length > 0);
    const rag = (path: string, body?: unknown) =>
      caller.call("POST", `/workspaces/${uuid}/rag${path}`, body);
    for (let run = 0; run < 2; run += 1) {
      const { roots }: { roots: RagRootIndex[] } = await json(await rag("/index"));
      assert.ok((roots[0]?.indexed ?? 0) + (roots[0]?.unchanged ?? 0) > STRANGE_NAMES.length);
    }
    const search = async (query: string): Promise<RagResult[]> =>
      json(await rag("/search", { query, limit: 50 }));
    assert.ok((await search("okapi")).some(({ path }) => path === "folder/inner.md"));
    const paths = (await search("zebra")).map(({ path }) => path);
    assert.ok(paths.includes("plain.txt"));
    for (const path of paths) assert.ok(!(path in LINKS), path);
    await growing[Symbol.asyncDispose]();
    await health[Symbol.asyncDispose]();
    assert.ok(health.answers() > 0);
    assert.deepEqual(await engine.end("SIGTERM"), { code: 0, signal: null });
    assert.deepEqual(errorLines(readLog(engine)), []);
  });
});

describe("/proc and /dev as roots", () => {
  it("are listed and searched, and nothing in them is waited for", async () => {
    await using other = await createTestFolder({ "a.txt": "okapi" });
    await using engine = await startEngineProcess();
    await using health = watchHealth(engine);
    const caller = new Caller(engine);
    const uuid = await caller.workspace("/proc", "/dev", other.path);
    for (const root of ["0", "1"]) {
      const entries: Entry[] = await json(
        await caller.call("GET", filesPath(uuid, "", at("", root))),
      );
      assert.ok(entries.every(({ name }) => name !== ""));
    }
    const read = (path: string, root: string) =>
      caller.status("GET", filesPath(uuid, "/content", at(path, root)));
    for (const name of ["null", "zero", "urandom", "tty"])
      assert.equal(await read(name, "1"), 400, name);
    for (const name of ["kmsg", "kcore", "1/mem"]) assert.equal(await read(name, "0"), 400, name);
    assert.equal(await read("self/x.txt", "0"), 403);
    assert.equal(await caller.status("GET", filesPath(uuid, "/search", { q: "zero" })), 200);
    // No index can be kept in /proc; the other root has one.
    assert.equal(await caller.status("POST", `/workspaces/${uuid}/rag/roots/2/index`), 200);
    assert.ok((await caller.status("POST", `/workspaces/${uuid}/rag/roots/0/index`)) < 504);
    await health[Symbol.asyncDispose]();
    assert.deepEqual(await engine.end("SIGTERM"), { code: 0, signal: null });
  });
});
