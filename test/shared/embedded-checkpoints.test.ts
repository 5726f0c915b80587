// In a process of its own: it measures the size of the write-ahead log.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type EmbeddedClient, openEmbeddedClient } from "../../shared/node/embedded-client.ts";

const LOG_BYTES_MAX = 4 * 1024 * 1024;
const ROW_BYTES = 256 * 1024;
const PAST_THE_BOUND = LOG_BYTES_MAX / ROW_BYTES + 1;
/** Frames around the pages, and the pages of the tree above the rows. */
const SOME_PAGES = ROW_BYTES;

async function withFile(
  run: (client: EmbeddedClient, path: string, logBytes: () => number) => Promise<void>,
) {
  const folder = mkdtempSync(join(tmpdir(), "roundhouse-"));
  const path = join(folder, "test.db");
  const client = openEmbeddedClient({ path, pragmas: ["journal_mode=WAL", "synchronous=FULL"] });
  try {
    await client.execute("CREATE TABLE item (content BLOB)");
    await run(client, path, () => statSync(`${path}-wal`).size);
  } finally {
    await client[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  }
}

async function write(client: EmbeddedClient, rows: number): Promise<void> {
  for (let row = 0; row < rows; row += 1) {
    await client.execute(`INSERT INTO item VALUES (zeroblob(${ROW_BYTES}))`);
  }
}

async function writeTogether(client: EmbeddedClient, rows: number): Promise<void> {
  await client.batch(
    Array.from({ length: rows }, () => `INSERT INTO item VALUES (zeroblob(${ROW_BYTES}))`),
  );
}

/** How often the log began anew, from its head. */
function logNumber(path: string): number {
  return readFileSync(`${path}-wal`).readUInt32BE(12);
}

async function countRows(client: EmbeddedClient): Promise<unknown> {
  return (await client.first("SELECT count(*) FROM item", []))?.[0];
}

describe("checkpoints of an embedded database", () => {
  it("are not part of a commit", () =>
    withFile(async (client, path, logBytes) => {
      await writeTogether(client, PAST_THE_BOUND);
      assert.ok(logBytes() > LOG_BYTES_MAX);
      assert.deepEqual(await client.first("PRAGMA wal_autocheckpoint", []), [0]);
      await client.checkpointed();
      assert.ok(statSync(path).size > LOG_BYTES_MAX, "the rows were moved");
    }));

  it("let a long log begin anew, so that it is bounded", () =>
    withFile(async (client, _path, logBytes) => {
      for (let round = 0; round < 3; round += 1) {
        await write(client, PAST_THE_BOUND);
        await client.checkpointed();
        await write(client, 1);
        assert.ok(logBytes() <= LOG_BYTES_MAX, `round ${round}: ${logBytes()}`);
      }
      assert.equal(await countRows(client), 3 * (PAST_THE_BOUND + 1));
    }));

  it("begin the new log themselves: its first write waits for the disk, whatever the mode", () =>
    withFile(async (client, path) => {
      await write(client, 1);
      const first = logNumber(path);
      await writeTogether(client, PAST_THE_BOUND);
      await client.checkpointed();
      assert.equal(logNumber(path), first + 1);
      assert.deepEqual(await client.first("PRAGMA user_version", []), [0]);
    }));

  it("hold no write up that comes beside them", () =>
    withFile(async (client, _path, logBytes) => {
      const writes = Array.from({ length: 4 }, () => write(client, PAST_THE_BOUND));
      await Promise.all(writes);
      await client.checkpointed();
      assert.equal(await countRows(client), 4 * PAST_THE_BOUND);
      await write(client, 1);
      await client.checkpointed();
      await write(client, 1);
      assert.ok(logBytes() <= LOG_BYTES_MAX + SOME_PAGES, String(logBytes()));
    }));

  it("wait for a snapshot, and writes do not", () =>
    withFile(async (client, _path, logBytes) => {
      const snapshot = await client.openSnapshot();
      assert.deepEqual(snapshot.values("SELECT count(*) FROM item", []), [[0]]);
      await write(client, 3 * PAST_THE_BOUND);
      assert.ok(logBytes() > 3 * LOG_BYTES_MAX);
      assert.deepEqual(snapshot.values("SELECT count(*) FROM item", []), [[0]]);
      snapshot[Symbol.dispose]();
      await write(client, 2 * PAST_THE_BOUND);
      await client.checkpointed();
      await write(client, 1);
      assert.ok(logBytes() <= 2 * LOG_BYTES_MAX, String(logBytes()));
    }));

  it("are waited for by a close", () =>
    withFile(async (client, path) => {
      await write(client, PAST_THE_BOUND);
      await client[Symbol.asyncDispose]();
      await using again = openEmbeddedClient({ path, pragmas: ["journal_mode=WAL"] });
      assert.equal(await countRows(again), PAST_THE_BOUND);
    }));

  it("end with a client that is closed in their midst", () =>
    withFile(async (client) => {
      await write(client, PAST_THE_BOUND);
      const running = client.checkpointed();
      client.close();
      await running;
      await assert.rejects(write(client, 1), { code: "CLIENT_CLOSED" });
    }));
});
