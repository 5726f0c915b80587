// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import Database from "libsql";
import { OwnIndexes } from "../../../engine/retrieval/sidecar/own-indexes.ts";
import { TEST_CONFIG } from "../../support/engine/engine.ts";
import { pathsOf, temporaryRoot } from "../../support/engine/files.ts";
import { changeIndex, createRag, type Rag } from "../../support/engine/retrieval.ts";

const FILES = { "a.md": "a zebra", "b.md": "an okapi" };
const PAGE_BYTES = 4096;
const SECTOR_BYTES = 512;
const MAGIC = Buffer.from("d9d505f920a163d7", "hex");

/** What a hostile folder brings as an index. */
function makeDatabase(path: string, sql = "CREATE TABLE meta (key, value)"): void {
  mkdirSync(join(path, ".."), { recursive: true });
  const db = new Database(path);
  db.exec(`${sql}; PRAGMA user_version = 1`);
  db.close();
}

const ENDLESS = `CREATE VIEW meta AS WITH RECURSIVE n(key, value) AS
  (SELECT 'x', 'y' UNION ALL SELECT key, value FROM n) SELECT key, value FROM n`;

/** A journal without pages, whose rollback deletes the file that it names as its super-journal. */
function makeJournal(path: string, victim: string): void {
  const pages = lstatSync(path).size / PAGE_BYTES;
  const header = Buffer.alloc(SECTOR_BYTES);
  MAGIC.copy(header);
  for (const [at, value] of [0, 7, pages, SECTOR_BYTES, PAGE_BYTES].entries()) {
    header.writeUInt32BE(value, MAGIC.length + at * 4);
  }
  const name = Buffer.from(victim);
  const [begin, end] = [Buffer.alloc(4), Buffer.alloc(8)];
  begin.writeUInt32BE(0x40000000 / PAGE_BYTES + 1);
  end.writeUInt32BE(name.length);
  end.writeUInt32BE(
    name.reduce((sum, byte) => sum + byte, 0),
    4,
  );
  writeFileSync(`${path}-journal`, Buffer.concat([header, begin, name, end, MAGIC]));
}

const USES: [name: string, use: (rag: Rag) => Promise<unknown>][] = [
  ["status", (rag) => rag.call("GET", "/status")],
  ["failures", (rag) => rag.call("GET", "/failures?rootIndex=0")],
  ["a search", (rag) => rag.search("zebra")],
  ["an index run", (rag) => rag.index()],
];

describe("A folder with an index that this engine did not make", () => {
  for (const name of ["sidecar.db", "sidecar.next.db", "lock.db"]) {
    it(`deletes no file by the journal of ${name}, whatever is asked`, async () => {
      await using rag = await createRag([FILES]);
      const [root = ""] = rag.roots;
      const elsewhere = temporaryRoot();
      const victim = join(elsewhere, "victim.txt");
      writeFileSync(victim, "precious");
      for (const [use, run] of USES) {
        rmSync(join(root, ".engine"), { recursive: true, force: true });
        const path = join(root, ".engine", name);
        makeDatabase(path);
        makeJournal(path, victim);
        await run(rag);
        assert.ok(existsSync(victim), use);
      }
      assert.equal((await rag.index()).errors, 0);
      assert.deepEqual(pathsOf(await rag.search("zebra", { mode: "keyword" })), ["a.md"]);
      assert.equal(readFileSync(victim, "utf8"), "precious");
      rmSync(elsewhere, { recursive: true });
    });
  }

  it("whose tables never end stops no search and no run of another folder", async () => {
    await using rag = await createRag([FILES, { "c.md": "a tapir" }]);
    const [root = ""] = rag.roots;
    await rag.index(1);
    for (const [use, run] of USES) {
      rmSync(join(root, ".engine"), { recursive: true, force: true });
      makeDatabase(join(root, ".engine/sidecar.db"), ENDLESS);
      await run(rag);
      assert.deepEqual(pathsOf(await rag.search("tapir", { mode: "keyword" })), ["c.md"], use);
    }
  });

  it("is not searched, and an index run puts it aside unread", async () => {
    await using other = await createRag([{ "x.md": "run curl zebra" }]);
    await other.index();
    await using rag = await createRag([FILES]);
    const [root = ""] = rag.roots;
    cpSync(join(other.roots[0] ?? "", ".engine"), join(root, ".engine"), { recursive: true });
    const brought = readFileSync(join(root, ".engine/sidecar.db"));
    assert.deepEqual(await rag.search("zebra"), []);
    assert.equal((await rag.index()).indexed, 2);
    assert.deepEqual(pathsOf(await rag.search("zebra", { mode: "keyword" })), ["a.md"]);
    const aside = readdirSync(join(root, ".engine")).filter((name) => name.includes(".broken-"));
    assert.equal(aside.length, 1);
    assert.deepEqual(readFileSync(join(root, ".engine", aside[0] ?? "")), brought);
  });
});

describe("An index that this engine made", () => {
  const indexOf = (rag: Rag) => join(rag.roots[0] ?? "", ".engine/sidecar.db");
  const find = async (rag: Rag) => pathsOf(await rag.search("zebra", { mode: "keyword" }));

  const changes: [name: string, change: (path: string) => void][] = [
    ["is written to", (path) => writeFileSync(path, readFileSync(path))],
    [
      "is replaced by a copy",
      (path) => {
        cpSync(path, `${path}.copy`);
        renameSync(`${path}.copy`, path);
      },
    ],
    ["gets a journal", (path) => makeJournal(path, "victim.txt")],
    ["gets an empty journal", (path) => writeFileSync(`${path}-journal`, "")],
    ["gets a write-ahead log", (path) => writeFileSync(`${path}-wal`, "x")],
  ];
  for (const [name, change] of changes) {
    it(`and that ${name} is indexed anew, also where a search has it open`, async () => {
      await using rag = await createRag([FILES]);
      await rag.index();
      assert.deepEqual(await find(rag), ["a.md"]);
      change(indexOf(rag));
      assert.deepEqual(await find(rag), []);
      assert.equal((await rag.index()).indexed, 2);
      assert.deepEqual(await find(rag), ["a.md"]);
      assert.equal((await rag.index()).unchanged, 2);
    });
  }

  it("in a folder that is moved is indexed anew", async () => {
    await using rag = await createRag([FILES, {}]);
    await rag.index();
    const [from = "", to = ""] = rag.roots.map((root) => join(root, ".engine"));
    renameSync(from, to);
    assert.deepEqual(await find(rag), []);
  });

  const own = new OwnIndexes(TEST_CONFIG.dataDirectory);

  it("and whose run was ended in its middle is read while file and journal are its own", async () => {
    await using rag = await createRag([FILES]);
    await rag.index();
    const path = indexOf(rag);
    own.begin(path);
    writeFileSync(path, readFileSync(path));
    writeFileSync(`${path}-journal`, "");
    assert.equal(own.has(path), true);
    assert.deepEqual(await find(rag), ["a.md"]);
    makeJournal(path, "victim.txt");
    assert.equal(own.has(path), false);
    assert.deepEqual(await find(rag), []);
    rmSync(`${path}-journal`);
    assert.deepEqual(await find(rag), ["a.md"]);
    cpSync(path, `${path}.copy`);
    renameSync(`${path}.copy`, path);
    assert.equal(own.has(path), false);
    assert.equal((await rag.index()).indexed, 2);
  });

  it("is known to another start of the engine, and to none with another data directory", async () => {
    await using rag = await createRag([FILES]);
    await rag.index();
    const path = indexOf(rag);
    assert.equal(new OwnIndexes(TEST_CONFIG.dataDirectory).has(path), true);
    const elsewhere = temporaryRoot();
    assert.equal(new OwnIndexes(elsewhere).has(path), false);
    writeFileSync(join(elsewhere, "indexes.json"), "no list");
    assert.equal(new OwnIndexes(elsewhere).has(path), false);
    rmSync(elsewhere, { recursive: true });
    changeIndex(rag.roots[0] ?? "", () => {});
    assert.equal(existsSync(join(TEST_CONFIG.dataDirectory, "indexes.json.part")), false);
  });
});
