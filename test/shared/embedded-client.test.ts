import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import Connection from "libsql";
import { openEmbeddedClient } from "../../shared/node/embedded-client.ts";

async function openTemporary() {
  const folder = await mkdtemp(join(tmpdir(), "roundhouse-"));
  const path = join(folder, "test.db");
  const client = openEmbeddedClient({ path, pragmas: ["journal_mode=WAL", "synchronous=FULL"] });
  await client.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE) STRICT");
  return {
    client,
    path,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

describe("the embedded client", () => {
  it("answers rows by name and by position", async () => {
    await using open = await openTemporary();
    const sql = "INSERT INTO item (name) VALUES (?) RETURNING id, name";
    const { rows } = await open.client.execute(sql, ["a"]);
    assert.equal(rows[0]?.name, "a");
    assert.equal(rows[0]?.[0], 1);
  });

  it("waits for the disk with every commit but those that hold relaxed writes alone", async () => {
    await using open = await openTemporary();
    const { client } = open;
    const insert = (name: string) => ({ sql: "INSERT INTO item (name) VALUES (?)", args: [name] });
    const level = async () => (await client.execute("PRAGMA synchronous")).rows[0]?.synchronous;
    const [NORMAL, FULL] = [1, 2];
    assert.equal(await level(), FULL);
    await client.batchRelaxed([insert("a")]);
    assert.equal(await level(), NORMAL);
    await Promise.all([client.batchRelaxed([insert("b")]), client.execute(insert("c"))]);
    assert.equal(await level(), FULL);
    await assert.rejects(client.batchRelaxed([insert("a")]), /UNIQUE/);
    await client.batch([insert("d")]);
    assert.equal(await level(), FULL);
    await client.batchRelaxed([insert("e")]);
    client.reconnect();
    assert.equal(await level(), FULL);
    await client.execute(insert("f"));
    assert.equal((await client.execute("SELECT count(*) AS count FROM item")).rows[0]?.count, 6);
  });

  it("undoes a failed unit alone when units share a commit", async () => {
    await using open = await openTemporary();
    const insert = (name: string) => ({ sql: "INSERT INTO item (name) VALUES (?)", args: [name] });
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
    const ticking = setInterval(() => {
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
