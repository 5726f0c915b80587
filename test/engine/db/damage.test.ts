// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { describe, it } from "node:test";
import Connection from "libsql";
import { openDatabase, refuseLostDatabase } from "../../../engine/db/open.ts";
import { toResponse } from "../../../engine/http/errors.ts";
import type { Logger } from "../../../shared/log.ts";
import { openEmbeddedClient } from "../../../shared/node/embedded-client.ts";
import { createTestFolder, type TestFolder } from "../../support/engine/files.ts";

const PAGE_BYTES = 4096;

/** A migrated database, all of it in one file. */
async function createDatabaseFile(folder: TestFolder): Promise<{ path: string; bytes: Buffer }> {
  const path = folder.at("engine.db");
  await (await openDatabase(path))[Symbol.asyncDispose]();
  const connection = new Connection(path);
  connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
  connection.close();
  await rm(`${path}-wal`, { force: true });
  return { path, bytes: await readFile(path) };
}

/** Rubbish where a table begins: the schema can be read, the rows cannot. */
function withBadTable({ path, bytes }: { path: string; bytes: Buffer }, table: string): Buffer {
  const connection = new Connection(path);
  const select = connection.prepare("SELECT rootpage FROM sqlite_master WHERE name = ?");
  const { rootpage } = select.get(table) as { rootpage: number };
  connection.close();
  return Buffer.from(bytes).fill(7, PAGE_BYTES * (rootpage - 1), PAGE_BYTES * rootpage);
}

describe("A damaged database", () => {
  const damages: Record<string, (bytes: Buffer) => Buffer> = {
    "of which half is missing": (bytes) => bytes.subarray(0, bytes.length / 2),
    "with rubbish for a header": (bytes) => Buffer.from(bytes).fill(7, 0, 100),
    "of 100 bytes": (bytes) => bytes.subarray(0, 100),
    "that is rubbish": () => Buffer.alloc(5_000, 65),
  };
  for (const [name, damage] of Object.entries(damages)) {
    it(`${name} refuses the start in one sentence, and stays as it is`, async () => {
      await using folder = await createTestFolder();
      const { path, bytes } = await createDatabaseFile(folder);
      await writeFile(path, damage(bytes));
      await assert.rejects(openDatabase(path), {
        name: "StartRefused",
        message: `The database ${path} is damaged. Restore a backup of it, or move its directory away to start with an empty one.`,
      });
      assert.deepEqual(await readFile(path), damage(bytes));
    });
  }

  it("is found by the check after an unclean end, in pages that opening does not read", async () => {
    await using folder = await createTestFolder();
    const { path, bytes } = await createDatabaseFile(folder);
    await (await openDatabase(path, { afterUncleanEnd: true }))[Symbol.asyncDispose]();
    await rm(`${path}-wal`, { force: true });
    await writeFile(path, withBadTable({ path, bytes }, "messages"));
    await (await openDatabase(path))[Symbol.asyncDispose]();
    await rm(`${path}-wal`, { force: true });
    await assert.rejects(openDatabase(path, { afterUncleanEnd: true }), /is damaged/);
  });

  it("is logged once, not for every request", async () => {
    await using folder = await createTestFolder();
    const { path, bytes } = await createDatabaseFile(folder);
    await writeFile(path, withBadTable({ path, bytes }, "messages"));
    await rm(`${path}-wal`, { force: true });
    let told = 0;
    const onDamage = () => {
      told += 1;
    };
    await using client = openEmbeddedClient({ path, pragmas: ["journal_mode=WAL"], onDamage });
    const failures: unknown[] = [];
    const statements = ["SELECT * FROM messages", "DELETE FROM messages"];
    for (const sql of [...statements, ...statements]) {
      await client.execute(sql).catch((error: unknown) => failures.push(error));
    }
    const damage = failures.filter((error) => /malformed/.test(String(error)));
    assert.ok(damage.length >= 2, failures.join("\n"));
    assert.equal(told, 1);
    const lines: string[] = [];
    const say = (_fields: unknown, message: string) => lines.push(message);
    const log: Logger = { debug: say, info: say, warn: say, error: say };
    assert.equal(toResponse(new Error("drizzle", { cause: damage[0] }), log).status, 500);
    assert.deepEqual(lines, []);
  });
});

describe("A database that is not there", () => {
  it("is created where there is no sign of a lost one", async () => {
    await using folder = await createTestFolder({ "engine.db": "" });
    await refuseLostDatabase(folder.at("engine.db"), folder.at("credentials.key"));
    await refuseLostDatabase(folder.at("none.db"), folder.at("credentials.key"));
  });

  it("refuses the start beside a key, missing or empty, and names both files", async () => {
    await using folder = await createTestFolder({ "credentials.key": "k", "empty.db": "" });
    const key = folder.at("credentials.key");
    for (const [name, state] of [
      ["none.db", "missing"],
      ["empty.db", "empty"],
    ] as const) {
      await assert.rejects(refuseLostDatabase(folder.at(name), key), {
        name: "StartRefused",
        message: `The database ${folder.at(name)} is ${state}, although ${key} is there. Restore a backup of the database, or move the key file away to start with an empty one.`,
      });
    }
    const { path } = await createDatabaseFile(folder);
    await refuseLostDatabase(path, key);
  });

  it("refuses the start where a folder has its place", async () => {
    await using folder = await createTestFolder();
    await mkdir(folder.at("engine.db"));
    await assert.rejects(openDatabase(folder.at("engine.db")), /cannot be opened/);
  });
});
