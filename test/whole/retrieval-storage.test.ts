import assert from "node:assert/strict";
import { type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import Database from "libsql";
import type { RootCounts } from "../../engine/retrieval/retrieval.ts";
import { TEST_CONFIG } from "../support/engine/engine.ts";
import { expect200, pathsOf, temporaryRoot, writeFiles } from "../support/engine/files.ts";
import { changeIndex, createRag, type Rag } from "../support/engine/retrieval.ts";
import { FROM_SOURCES } from "../support/processes.ts";
import { createDice, createDocuments } from "../support/random.ts";

const CHILD = [
  ...FROM_SOURCES,
  fileURLToPath(new URL("./programs/index-child.ts", import.meta.url)),
];
const FILES = { "a.md": "# Guide\n\nThe cache is refreshed.", "b.ts": "const userName = 1;" };

function sidecarOf(rag: Rag): string {
  return join(rag.roots[0] ?? "", ".engine/sidecar.db");
}

async function keyword(rag: Rag, query: string): Promise<string[]> {
  return pathsOf(await rag.search(query, { mode: "keyword" }));
}

interface ChildAnswer extends Partial<RootCounts> {
  failed?: string;
  /** The paths that the child found afterwards. */
  found: string[];
}

/** Runs the index child through a shell that limits it first; as another account where that is asked for. */
async function indexLimited(
  limit: string,
  root: string,
  { uid, dataDirectory = TEST_CONFIG.dataDirectory }: { uid?: number; dataDirectory?: string } = {},
): Promise<ChildAnswer> {
  const script = `${limit}; exec "$0" "$@"`;
  const args = ["-c", script, process.execPath, ...CHILD, root, dataDirectory, "cache"];
  const stdio: StdioOptions = ["ignore", "pipe", "inherit"];
  const child = spawn("bash", args, { stdio, ...(uid === undefined ? {} : { uid, gid: uid }) });
  let said = "";
  child.stdout?.on("data", (data) => {
    said += data;
  });
  await once(child, "close");
  const [, counts = "null", found = "[]"] = said.split("\n");
  assert.ok(counts, `the child ended with ${child.exitCode ?? child.signalCode} after: ${said}`);
  return { ...JSON.parse(counts), found: JSON.parse(found) };
}

describe("A damaged index", () => {
  const damages: [name: string, damage: (path: string) => void][] = [
    ["no database at all", (path) => writeFileSync(path, "this is no database, only some text")],
    ["random bytes", (path) => writeFileSync(path, Buffer.alloc(8192, 0xa5))],
    ["half of it", (path) => writeFileSync(path, readFileSync(path).subarray(0, 20_000))],
    [
      "wrong pages",
      (path) => {
        const bytes = readFileSync(path);
        bytes.fill(0x77, 4096, bytes.length);
        writeFileSync(path, bytes);
      },
    ],
    [
      "another program's database",
      (path) => {
        rmSync(path);
        const db = new Database(path);
        db.exec("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)");
        db.close();
      },
    ],
  ];

  for (const [name, damage] of damages) {
    it(`(${name}) is skipped by search, set aside by the next run, and created again`, async () => {
      await using rag = await createRag([FILES, { "other.txt": "cache elsewhere" }]);
      await expect200(await rag.call("POST", "/index"));
      await using fresh = await createRag([]);
      const workspace = { name: "w", directories: JSON.stringify(rag.roots) };
      await fresh.engine.call("PUT", `/workspaces/${fresh.uuid}`, workspace);
      changeIndex(rag.roots[0] ?? "", damage);
      const damaged = readFileSync(sidecarOf(rag));
      assert.deepEqual(await keyword(fresh, "cache"), ["other.txt"], "the other root is searched");
      assert.equal((await fresh.index()).indexed, 2);
      assert.deepEqual(await keyword(fresh, "userName"), ["b.ts"]);
      const folder = join(rag.roots[0] ?? "", ".engine");
      const aside = readdirSync(folder).find((file) => file.includes(".broken-"));
      assert.ok(aside, "nothing is thrown away");
      assert.deepEqual(
        readFileSync(join(folder, aside)).subarray(0, 100),
        damaged.subarray(0, 100),
      );
    });
  }

  it("that is empty is filled", async () => {
    await using rag = await createRag([{ ...FILES, ".engine/sidecar.db": "" }]);
    assert.deepEqual(await rag.search("cache"), []);
    assert.equal((await rag.index()).indexed, 2);
  });
});

describe("An index of a newer engine", () => {
  it("is left as it is: search skips it, and an index run says why", async () => {
    await using rag = await createRag([FILES]);
    await rag.index();
    await using fresh = await openAgain(rag);
    changeIndex(rag.roots[0] ?? "", (path) => {
      const db = new Database(path);
      db.exec("PRAGMA user_version = 99");
      db.close();
    });
    const before = readFileSync(sidecarOf(rag));
    assert.deepEqual(await fresh.search("cache"), []);
    const answer = await fresh.call("POST", "/roots/0/index");
    assert.equal(answer.status, 409);
    const { error } = (await answer.json()) as { error: string };
    assert.match(error, /newer engine/);
    assert.deepEqual(readFileSync(sidecarOf(rag)), before);
  });
});

describe("An index of another embedder", () => {
  it("is skipped in every mode, and created again beside the old one by the next run", async () => {
    await using rag = await createRag([FILES]);
    await rag.index();
    await using fresh = await openAgain(rag);
    changeIndex(rag.roots[0] ?? "", (path) => {
      const db = new Database(path);
      db.exec("UPDATE meta SET value = 'foreign' WHERE key = 'signature'");
      db.close();
    });
    for (const mode of ["keyword", "vector", "hybrid"] as const) {
      assert.deepEqual(await fresh.search("cache", { mode }), []);
    }
    assert.equal((await fresh.index()).indexed, 2);
    assert.deepEqual(await keyword(fresh, "cache"), ["a.md"]);
    assert.equal((await fresh.index()).unchanged, 2);
  });
});

describe("A disk that refuses", () => {
  it("with no space left gives a clear error, and the old index stays usable", async () => {
    await using rag = await createRag([FILES]);
    const [root = ""] = rag.roots;
    await rag.index();
    const blocks = Math.ceil(statSync(sidecarOf(rag)).size / 1024) + 20;
    writeFiles(root, createDocuments(createDice(3), 50));
    const answer = await indexLimited(`trap '' XFSZ; ulimit -f ${blocks}`, root);
    assert.match(answer.failed ?? "", /no space is left, or the disk failed/);
    assert.deepEqual(await keyword(rag, "userName"), ["b.ts"]);
    const { indexed, unchanged, errors } = await rag.index();
    assert.deepEqual([indexed + unchanged, errors], [52, 0]);
  });

  it("with no space for a first index leaves nothing that a later run stumbles over", async () => {
    const root = temporaryRoot();
    try {
      writeFiles(root, createDocuments(createDice(4), 30));
      const answer = await indexLimited("trap '' XFSZ; ulimit -f 8", root);
      assert.match(answer.failed ?? "", /no space is left, or the disk failed/);
      assert.equal((await indexLimited("true", root)).indexed, 30);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});

describe("A root that cannot be written to", () => {
  // Root may write everywhere, so there the child runs as another account.
  const uid = process.getuid?.() === 0 ? 65_534 : undefined;

  it("gives a clear error, and its old index is searched", async () => {
    await using rag = await createRag([FILES]);
    const [root = ""] = rag.roots;
    assert.match((await indexAs(root)).failed ?? "", /cannot be written to/);
    await rag.index();
    const before = readFileSync(sidecarOf(rag));
    chmodSync(join(root, ".engine"), 0o755);
    changeIndex(root, (path) => chmodSync(path, 0o755));
    chmodSync(TEST_CONFIG.dataDirectory, 0o755);
    chmodSync(join(TEST_CONFIG.dataDirectory, "indexes.json"), 0o644);
    const answer = await indexAs(root);
    assert.match(answer.failed ?? "", /cannot be written to/);
    assert.deepEqual(answer.found, ["a.md"]);
    assert.deepEqual(readFileSync(sidecarOf(rag)), before);
  });

  async function indexAs(root: string): Promise<ChildAnswer> {
    chmodSync(root, 0o555);
    try {
      return await indexLimited("true", root, uid === undefined ? {} : { uid });
    } finally {
      chmodSync(root, 0o755);
    }
  }
});

describe("Two engines on one root", () => {
  it("index it one after the other, each from the beginning, and search only what they made", async () => {
    await using first = await createRag([createDocuments(createDice(5), 60)]);
    const [root = ""] = first.roots;
    const dataDirectory = temporaryRoot();
    const there = () => indexLimited("true", root, { dataDirectory });
    const both = await Promise.all([first.index(), there()]);
    assert.deepEqual(
      both.map(({ indexed }) => indexed),
      [60, 60],
    );
    const again = await first.index();
    assert.equal(again.indexed + again.unchanged, 60);
    assert.equal((await first.search("cache refresh", { limit: 50 })).length, 50);
    assert.equal((await there()).indexed, 60);
    assert.deepEqual(await first.search("cache refresh"), []);
    const aside = readdirSync(join(root, ".engine")).filter((name) => name.includes(".broken-"));
    assert.equal(aside.length, 1, "of the indexes of the other one the last is kept");
    rmSync(dataDirectory, { recursive: true });
  });

  it("of one data directory share the index", async () => {
    await using rag = await createRag([FILES]);
    const [root = ""] = rag.roots;
    await rag.index();
    assert.deepEqual(await keyword(rag, "zebra"), []);
    writeFiles(root, { "z.txt": "zebra" });
    assert.equal((await indexLimited("true", root)).indexed, 1);
    assert.deepEqual(await keyword(rag, "zebra"), ["z.txt"]);
    assert.ok((await rag.search("zebra", { mode: "vector" })).some(({ path }) => path === "z.txt"));
  });
});

/** Another engine with the same roots. */
async function openAgain({ roots }: Rag): Promise<Rag> {
  const fresh = await createRag([]);
  const workspace = { name: "w", directories: JSON.stringify(roots) };
  await fresh.engine.call("PUT", `/workspaces/${fresh.uuid}`, workspace);
  return fresh;
}
