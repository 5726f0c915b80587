// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import Connection from "libsql";
import {
  type EmbeddedClient,
  type EmbeddedOptions,
  openEmbeddedClient,
} from "../../shared/node/embedded-client.ts";

const PRAGMAS = ["journal_mode=WAL", "synchronous=FULL"];

async function openTemporary(options: Partial<EmbeddedOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "roundhouse-"));
  const path = join(folder, "test.db");
  const client = openEmbeddedClient({ path, pragmas: PRAGMAS, ...options });
  await client.executeMultiple(
    "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE) STRICT",
  );
  return {
    client,
    path,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

/** In the place of the write-ahead log on the disk. */
class FakeDisk {
  syncs = 0;
  failure: Error | undefined;
  #held: { asked: () => void; released: Promise<void> } | undefined;

  hold(): { asked: Promise<void>; release: () => void } {
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    this.#held = { asked: asked.resolve, released: released.promise };
    return { asked: asked.promise, release: released.resolve };
  }

  async sync(): Promise<void> {
    this.syncs += 1;
    this.#held?.asked();
    await this.#held?.released;
    if (this.failure) throw this.failure;
  }
}

async function valuesOf(client: EmbeddedClient, sql: string): Promise<unknown[]> {
  const { rows } = await client.execute(sql);
  return Array.from(rows[0] ?? []);
}

function insert(name: string) {
  return { sql: "INSERT INTO item (name) VALUES (?)", args: [name] };
}

describe("the embedded client", () => {
  it("answers rows by name and by position", async () => {
    await using open = await openTemporary();
    const sql = "INSERT INTO item (name) VALUES (?) RETURNING id, name";
    const { rows } = await open.client.execute(sql, ["a"]);
    assert.equal(rows[0]?.name, "a");
    assert.equal(rows[0]?.[0], 1);
  });

  it("waits for the disk with every commit", async () => {
    const disk = new FakeDisk();
    await using open = await openTemporary({ log: disk });
    const { client } = open;
    await client.execute(insert("a"));
    assert.equal(disk.syncs, 1);
    await assert.rejects(client.batch([insert("a")]), /UNIQUE/);
    assert.equal(disk.syncs, 1, "a failed write has nothing to wait for");
    assert.deepEqual(await valuesOf(client, "SELECT count(*) FROM item"), [1]);
    await Promise.all([client.batch([insert("d")]), client.execute(insert("e"))]);
    assert.equal(disk.syncs, 2, "one wait for all writes of a commit");
    client.reconnect();
    await client.execute(insert("f"));
    assert.equal(disk.syncs, 3);
    assert.deepEqual(await valuesOf(client, "SELECT count(*) FROM item"), [4]);
  });

  it("answers a durable write after the disk has it, and never waits within the event loop", async () => {
    const disk = new FakeDisk();
    await using open = await openTemporary({ log: disk });
    const { client } = open;
    const held = disk.hold();
    const answers: string[] = [];
    const durable = client.execute(insert("durable")).then(() => answers.push("durable"));
    await held.asked;
    assert.deepEqual(await valuesOf(client, "SELECT count(*) FROM item"), [1]);
    assert.deepEqual(answers, []);
    held.release();
    await durable;
    // SQLite itself orders the log and the database, and waits for no disk at a commit.
    assert.deepEqual(await valuesOf(client, "PRAGMA synchronous"), [1]);
  });

  it("refuses a durable write that the disk does not take, and goes on", async () => {
    const disk = new FakeDisk();
    await using open = await openTemporary({ log: disk });
    disk.failure = Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
    await assert.rejects(open.client.execute(insert("a")), { extendedCode: "EIO" });
    disk.failure = undefined;
    await open.client.execute(insert("b"));
  });

  it("leaves the wait to SQLite where there is no write-ahead log", async () => {
    const disk = new FakeDisk();
    await using open = await openTemporary({ log: disk, pragmas: ["synchronous=FULL"] });
    await open.client.execute(insert("a"));
    assert.equal(disk.syncs, 0);
    assert.deepEqual(await valuesOf(open.client, "PRAGMA synchronous"), [2]);
  });

  it("undoes a failed unit alone when units share a commit", async () => {
    await using open = await openTemporary();
    const outcomes = await Promise.allSettled([
      open.client.execute(insert("a")),
      open.client.batch([insert("b"), insert("a")]),
      open.client.execute(insert("c")),
      open.client.execute(insert("c")),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled", "rejected"],
    );
    const { rows } = await open.client.execute("SELECT name FROM item ORDER BY name");
    assert.deepEqual(
      rows.map(({ name }) => name),
      ["a", "c"],
    );
  });

  it("waits for a foreign write lock without stopping the event loop, and loses nothing after it", async () => {
    await using open = await openTemporary();
    const foreign = new Connection(open.path);
    foreign.exec("BEGIN IMMEDIATE");
    let ticks = 0;
    using ticking = setInterval(() => {
      ticks += 1;
      if (ticks === 5) foreign.exec("COMMIT");
    }, 10);
    await open.client.execute("INSERT INTO item (name) VALUES ('kept')");
    clearInterval(ticking);
    await open.client.execute("INSERT INTO item (name) VALUES ('after')");
    assert.equal(ticks >= 5, true);
    assert.deepEqual(foreign.prepare("SELECT count(*) AS n FROM item").all(), [{ n: 2 }]);
    foreign.close();
  });
});

describe("the write-ahead log", () => {
  const LOG_BYTES_MAX = 4 * 1024 * 1024;
  const ROW_BYTES = 256 * 1024;
  const PAST_THE_BOUND = LOG_BYTES_MAX / ROW_BYTES + 1;
  const write = async ({ client }: Awaited<ReturnType<typeof openTemporary>>, rows: number) => {
    for (let row = 0; row < rows; row += 1) {
      await client.execute(`INSERT INTO blobs VALUES (zeroblob(${ROW_BYTES}))`);
    }
  };

  it("is moved into the database and begins anew, so that it is bounded", async () => {
    await using open = await openTemporary();
    await open.client.execute("CREATE TABLE blobs (content BLOB)");
    for (let round = 0; round < 3; round += 1) {
      await write(open, PAST_THE_BOUND);
      assert.ok((await stat(`${open.path}-wal`)).size <= LOG_BYTES_MAX + 2 * ROW_BYTES);
    }
  });
});
