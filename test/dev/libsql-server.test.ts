// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createClient, LibsqlBatchError } from "@libsql/client/web";
import { openEmbeddedClient } from "../../shared/node/embedded-client.ts";
import { startFaultyLibsqlServer } from "../support/signin/libsql-server.ts";
import { WATCHDOG_MS } from "../support/time.ts";

const TABLE =
  "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE, size INTEGER, data BLOB) STRICT";

async function openServer(times = {}) {
  const server = await startFaultyLibsqlServer(times);
  const { url, authToken } = server;
  const connect = () => createClient({ url, authToken });
  const client = connect();
  await client.execute(TABLE);
  return {
    server,
    client,
    connect,
    async post(body: unknown, token = authToken) {
      const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
      const text = typeof body === "string" ? body : JSON.stringify(body);
      return fetch(`${url}/v2/pipeline`, { method: "POST", headers, body: text });
    },
    async [Symbol.asyncDispose]() {
      client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const insert = (name: string) => ({ sql: "INSERT INTO item (name) VALUES (?)", args: [name] });

describe("the development libSQL server, to the real client", () => {
  it("answers rows by name and by position, with counts and the last row id", async () => {
    await using open = await openServer();
    const { rowsAffected, lastInsertRowid } = await open.client.execute(insert("a"));
    assert.equal(rowsAffected, 1);
    assert.equal(lastInsertRowid, 1n);
    const result = await open.client.execute({
      sql: "SELECT id, name FROM item WHERE name = :name",
      args: { name: "a" },
    });
    assert.deepEqual(result.columns, ["id", "name"]);
    assert.deepEqual(result.columnTypes, ["INTEGER", "TEXT"]);
    assert.equal(result.rows[0]?.name, "a");
    assert.equal(result.rows[0]?.[0], 1);
  });

  it("answers RETURNING with its rows and the number of rows changed", async () => {
    await using open = await openServer();
    const sql = "INSERT INTO item (name) VALUES (?), (?) RETURNING name";
    const { rows, rowsAffected } = await open.client.execute({ sql, args: ["a", "b"] });
    assert.deepEqual(
      rows.map(({ name }) => name),
      ["a", "b"],
    );
    assert.equal(rowsAffected, 2);
  });

  it("counts nothing for a statement that changes nothing", async () => {
    await using open = await openServer();
    await open.client.execute(insert("a"));
    const { rowsAffected } = await open.client.execute("UPDATE item SET size = 1 WHERE name = 'b'");
    assert.equal(rowsAffected, 0);
  });

  it("carries every kind of value there and back", async () => {
    await using open = await openServer();
    const data = new Uint8Array([0, 1, 250, 255]);
    const sql = "SELECT ? AS absent, ? AS text, ? AS number, ? AS bytes, 7 AS whole, ? AS empty";
    const args = [null, "zażółć \u{1F511}", 1.5, data, new Uint8Array()];
    const [row] = (await open.client.execute({ sql, args })).rows;
    assert.equal(row?.absent, null);
    assert.equal(row?.text, "zażółć \u{1F511}");
    assert.equal(row?.number, 1.5);
    assert.deepEqual(new Uint8Array(row?.bytes as ArrayBuffer), data);
    assert.equal(row?.whole, 7);
    assert.deepEqual(new Uint8Array(row?.empty as ArrayBuffer), new Uint8Array());
  });

  it("keeps a whole number whole beyond 2^53", async () => {
    await using open = await openServer();
    const client = createClient({ ...open.server, intMode: "bigint" });
    await client.execute({
      sql: "INSERT INTO item (size) VALUES (?)",
      args: [9_007_199_254_740_993n],
    });
    const { rows } = await client.execute("SELECT size FROM item");
    assert.equal(rows[0]?.size, 9_007_199_254_740_993n);
  });

  it("undoes a whole write batch where one statement fails, and names that statement", async () => {
    await using open = await openServer();
    const failed = open.client.batch([insert("a"), insert("b"), insert("a")], "write");
    await assert.rejects(failed, (error: LibsqlBatchError) => {
      assert.equal(error instanceof LibsqlBatchError, true);
      assert.equal(error.statementIndex, 2);
      assert.equal(error.code, "SQLITE_CONSTRAINT");
      assert.match(error.message, /UNIQUE constraint failed: item\.name/);
      return true;
    });
    assert.equal((await open.client.execute("SELECT 1 FROM item")).rows.length, 0);
  });

  it("refuses what is no SQL, more than one statement, and a broken foreign key", async () => {
    await using open = await openServer();
    await open.client.batch(
      [
        "CREATE TABLE parent (id INTEGER PRIMARY KEY) STRICT",
        "CREATE TABLE child (id INTEGER REFERENCES parent (id)) STRICT",
      ],
      "write",
    );
    const refused = [
      ["SELEC 1", "SQLITE_ERROR"],
      ["SELECT 1; DELETE FROM item", "SQL_MANY_STATEMENTS"],
      ["INSERT INTO child (id) VALUES (1)", "SQLITE_CONSTRAINT"],
    ] as const;
    for (const [sql, code] of refused) {
      await assert.rejects(open.client.execute(sql), { code }, sql);
    }
    await open.client.execute("SELECT ';', 1 -- ; and so on\n;");
  });

  it("runs interactive transactions and scripts, which migrations of others use", async () => {
    await using open = await openServer();
    const transaction = await open.client.transaction("write");
    await transaction.execute(insert("a"));
    await transaction.execute(insert("b"));
    await transaction.commit();
    const undone = await open.client.transaction("write");
    await undone.execute(insert("c"));
    await undone.rollback();
    await open.client.executeMultiple("INSERT INTO item (name) VALUES ('d'); SELECT 1;");
    await open.client.migrate(["CREATE TABLE more (id INTEGER) STRICT"]);
    const { rows } = await open.client.execute("SELECT name FROM item ORDER BY name");
    assert.deepEqual(
      rows.map(({ name }) => name),
      ["a", "b", "d"],
    );
  });
});

describe("the development libSQL server, under many clients", () => {
  it("lets all of 30 parallel write batches of 30 clients succeed", async () => {
    await using open = await openServer();
    const names = Array.from({ length: 30 }, (_, at) => `name ${at}`);
    await Promise.all(
      names.map(async (name) => {
        const client = open.connect();
        await client.batch(
          [insert(name), { sql: "UPDATE item SET size = 1 WHERE name = ?", args: [name] }],
          "write",
        );
        client.close();
      }),
    );
    const { rows } = await open.client.execute("SELECT count(*) AS n FROM item WHERE size = 1");
    assert.equal(rows[0]?.n, 30);
  });

  it("lets the writers wait for an open transaction without stopping it", async () => {
    await using open = await openServer({ lockWaitMs: WATCHDOG_MS, idleMs: WATCHDOG_MS });
    const transaction = await open.client.transaction("write");
    await transaction.execute(insert("first"));
    const waiting = [open.connect(), open.connect()].map((client, at) =>
      client.batch([insert(`later ${at}`)], "write"),
    );
    await transaction.execute(insert("second"));
    await transaction.commit();
    await Promise.all(waiting);
    const { rows } = await open.client.execute("SELECT name FROM item ORDER BY id LIMIT 2");
    assert.deepEqual(
      rows.map(({ name }) => name),
      ["first", "second"],
    );
  });

  it("gives up waiting for a transaction that does not end", async () => {
    await using open = await openServer({ lockWaitMs: 30 });
    const transaction = await open.client.transaction("write");
    await transaction.execute(insert("a"));
    await assert.rejects(open.connect().execute(insert("b")), { code: "TRANSACTION_TIMEOUT" });
    await transaction.commit();
    await open.client.execute(insert("b"));
  });

  it("undoes a transaction that its client left, and lets the next one write", async () => {
    await using open = await openServer({ idleMs: 50 });
    const left = await open.client.transaction("write");
    await left.execute(insert("left"));
    await open.connect().execute(insert("next"));
    await assert.rejects(left.execute(insert("late")), /expired/i);
    const { rows } = await open.client.execute("SELECT name FROM item");
    assert.deepEqual(
      rows.map(({ name }) => name),
      ["next"],
    );
  });
});

describe("the development libSQL server, at its edges", () => {
  it("refuses a request without its token", async () => {
    await using open = await openServer();
    const client = createClient({ url: open.server.url, authToken: "guessed" });
    await assert.rejects(client.execute("SELECT 1"), { code: "AUTH_JWT_INVALID" });
    const bare = await fetch(`${open.server.url}/v2/pipeline`, { method: "POST", body: "{}" });
    assert.equal(bare.status, 401);
    assert.equal((await fetch(`${open.server.url}/v2`)).status, 401);
  });

  it("listens on the loopback address alone", async () => {
    await using open = await openServer();
    assert.equal(new URL(open.server.url).hostname, "127.0.0.1");
  });

  it("refuses what is not Hrana", async () => {
    await using open = await openServer();
    for (const body of ["", "{", "[]", { requests: [{ type: "unheard_of" }] }]) {
      assert.equal((await open.post(body)).status, 400);
    }
    const headers = { Authorization: `Bearer ${open.server.authToken}` };
    assert.equal((await fetch(`${open.server.url}/v3/pipeline`, { headers })).status, 404);
    assert.equal((await fetch(`${open.server.url}/v2`, { headers })).status, 200);
  });

  it("takes each baton once, and none that it did not give", async () => {
    await using open = await openServer();
    const requests = [{ type: "execute", stmt: { sql: "SELECT 1" } }];
    const { baton } = (await (await open.post({ requests })).json()) as { baton: string };
    const second = await (await open.post({ baton, requests })).json();
    assert.notEqual((second as { baton: string }).baton, baton);
    for (const used of [baton, "invented"]) {
      const refused = await open.post({ baton: used, requests });
      assert.equal(refused.status, 400);
      assert.equal(((await refused.json()) as { code: string }).code, "BATON_INVALID");
    }
  });

  it("answers the rest of a pipeline after a failed request", async () => {
    await using open = await openServer();
    const requests = [
      { type: "execute", stmt: { sql: "SELEC" } },
      { type: "get_autocommit" },
      { type: "close" },
    ];
    const answer = (await (await open.post({ requests })).json()) as {
      baton: unknown;
      results: { type: string }[];
    };
    assert.deepEqual(
      answer.results.map(({ type }) => type),
      ["error", "ok", "ok"],
    );
    assert.equal(answer.baton, null);
  });

  it("keeps what it committed where the answer was lost", async () => {
    await using open = await openServer();
    const lost = open.server.failNext("lose-answer");
    await assert.rejects(open.client.batch([insert("kept")], "write"));
    await lost;
    assert.equal((await open.client.execute("SELECT 1 FROM item")).rows.length, 1);
  });

  it("did nothing where the request was lost", async () => {
    await using open = await openServer();
    const lost = open.server.failNext("lose-request", (sql) => sql.includes("INSERT"));
    await assert.rejects(open.client.batch([insert("gone")], "write"));
    await lost;
    assert.equal((await open.client.execute("SELECT 1 FROM item")).rows.length, 0);
  });

  it("leaves a file that the embedded client opens, and the other way round", async () => {
    await using open = await openServer();
    await open.client.execute(insert("a"));
    await using embedded = openEmbeddedClient({ path: open.server.path, pragmas: [] });
    await embedded.execute(insert("b"));
    const { rows } = await open.client.execute("SELECT count(*) AS n FROM item");
    assert.equal(rows[0]?.n, 2);
  });
});
