// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { SnapshotClient } from "../../../engine/db/snapshots.ts";

const PRAGMAS = ["journal_mode=WAL", "synchronous=FULL"];
const LOG_BYTES_MAX = 4 * 1024 * 1024;
const ROW_BYTES = 256 * 1024;
const PAST_THE_BOUND = LOG_BYTES_MAX / ROW_BYTES + 1;

async function openTemporary() {
  const folder = mkdtempSync(join(tmpdir(), "roundhouse-"));
  const path = join(folder, "test.db");
  const client = new SnapshotClient({ path, pragmas: PRAGMAS });
  await client.execute("CREATE TABLE item (content BLOB)");
  return {
    client,
    folder,
    logBytes: () => statSync(`${path}-wal`).size,
    async insert(rows: number) {
      for (let row = 0; row < rows; row += 1) {
        await client.execute(`INSERT INTO item VALUES (zeroblob(${ROW_BYTES}))`);
      }
    },
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

async function openSnapshot(client: SnapshotClient, rows: number) {
  const snapshot = await client.openSnapshot();
  assert.deepEqual(await snapshot.first("SELECT count(*) FROM item", []), [rows]);
  return snapshot;
}

describe("a snapshot", () => {
  it("keeps its state while others write, and the write-ahead log with it", async () => {
    await using open = await openTemporary();
    const snapshot = await openSnapshot(open.client, 0);
    await open.insert(3 * PAST_THE_BOUND);
    assert.deepEqual(await snapshot.first("SELECT count(*) FROM item", []), [0]);
    snapshot[Symbol.dispose]();
    await open.insert(2);
    assert.ok(open.logBytes() <= LOG_BYTES_MAX + 2 * ROW_BYTES);
  });

  it("ends with its client, and so does the wait for one", async () => {
    await using open = await openTemporary();
    const snapshots = await Promise.all(
      Array.from({ length: 4 }, () => openSnapshot(open.client, 0)),
    );
    const waiting = open.client.openSnapshot();
    open.client.close();
    await assert.rejects(waiting, { code: "CLIENT_CLOSED" });
    for (const snapshot of snapshots) {
      await assert.rejects(snapshot.first("SELECT 1", []), { code: "CLIENT_CLOSED" });
    }
  });

  for (const isOpen of [false, true]) {
    it(`leaves no file beside a closed database${isOpen ? " while it is open" : ""}`, async () => {
      await using open = await openTemporary();
      await open.insert(1);
      // Kept beyond the close, as a program may keep what reads.
      const kept = await openSnapshot(open.client, 1);
      if (!isOpen) kept[Symbol.dispose]();
      await open.insert(1);
      await open.client[Symbol.asyncDispose]();
      assert.deepEqual(readdirSync(open.folder), ["test.db"]);
      assert.equal(open.client.closed, true, String(kept));
    });
  }
});
