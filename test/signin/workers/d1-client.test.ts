// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Client } from "@libsql/client";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { migrate } from "../../../shared/migrate.ts";
import { type EmbeddedClient, openEmbeddedClient } from "../../../shared/node/embedded-client.ts";
import { migrations } from "../../../signin/db/migrations.generated.ts";
import { createD1Client, readD1Binding } from "../../../signin/workers/d1-client.ts";
import { COMPATIBILITY } from "../../support/worker.ts";

let miniflare: Miniflare;
let d1: Client;
let libsql: EmbeddedClient;
before(async () => {
  miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "",
      compatibilityDate: COMPATIBILITY.date,
      d1Databases: { DB: "client" },
      cf: false,
      telemetry: { enabled: false },
    }),
  );
  d1 = createD1Client((await miniflare.getD1Database("DB")) as unknown as D1Binding);
  libsql = openEmbeddedClient({ path: ":memory:", pragmas: [] });
  for (const client of [d1, libsql]) {
    await client.execute(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE, n INTEGER) STRICT",
    );
  }
});
after(async () => {
  await libsql[Symbol.asyncDispose]();
  await miniflare.dispose();
});

/** Both clients do the same; their rows by position and by name. */
async function both(work: (client: Client) => Promise<Awaited<ReturnType<Client["execute"]>>[]>) {
  const shown = [];
  for (const client of [d1, libsql]) {
    const results = await work(client);
    shown.push(
      results.map(({ columns, rows }) => ({
        columns: rows.length > 0 ? columns : [],
        rows: rows.map((row) => ({
          values: Array.from(row),
          names: columns.map((name) => row[name]),
        })),
      })),
    );
  }
  assert.deepEqual(shown[0], shown[1]);
  return shown[0] ?? [];
}

describe("the client of D1", () => {
  it("answers as libSQL's: rows by position and by name", async () => {
    await both(async (client) => [
      await client.execute({
        sql: "INSERT INTO t (name, n) VALUES (?, ?) RETURNING *",
        args: ["a", 1],
      }),
      await client.execute({
        sql: "INSERT INTO t (name, n) VALUES (?2, ?1) RETURNING id",
        args: [2, "b"],
      }),
      await client.execute("SELECT name, n, NULL AS empty FROM t ORDER BY id"),
      await client.execute("SELECT 1 AS same, 2 AS same"),
      await client.execute("UPDATE t SET n = 9 WHERE name = 'missing' RETURNING n"),
    ]);
  });

  it("gives named parameters their places, and looks into no text, name or comment", async () => {
    const sql = `SELECT :b AS "x:b", ':a' AS t, $a AS a, :b AS again, @a || '''' AS q -- :c
      /* :d ' */ FROM (SELECT 1)`;
    const [found] = await both(async (client) => [
      await client.execute({ sql, args: { a: "one", b: 2, unused: 7 } }),
    ]);
    assert.deepEqual(found?.rows[0]?.values, [2, ":a", "one", 2, "one'"]);
  });

  it("binds booleans and null, and refuses what SQLite has no value for", async () => {
    await both(async (client) => [
      await client.execute({
        sql: "INSERT INTO t (name, n) VALUES (?, ?) RETURNING name, n",
        args: [null, true],
      }),
    ]);
    for (const wrong of [undefined, new Uint8Array(1), 1n]) {
      const args = [wrong as unknown as string];
      await assert.rejects(d1.execute({ sql: "SELECT ?", args }), TypeError);
    }
    await assert.rejects(d1.execute({ sql: "SELECT :missing", args: {} }), TypeError);
  });

  it("runs a batch as one transaction: all or none", async () => {
    const insert = "INSERT INTO t (name) VALUES (?) RETURNING name";
    await both((client) =>
      client.batch([{ sql: insert, args: ["c"] }, [insert, ["d"]], "SELECT count(*) AS n FROM t"]),
    );
    await assert.rejects(
      d1.batch([
        { sql: insert, args: ["e"] },
        { sql: insert, args: ["c"] },
      ]),
      /UNIQUE constraint failed: t\.name/,
    );
    const { rows } = await d1.execute("SELECT 1 FROM t WHERE name = 'e'");
    assert.equal(rows.length, 0);
    assert.deepEqual(await d1.batch([]), []);
  });

  it("counts no changes, and has no interactive transaction", async () => {
    const { rowsAffected } = await d1.execute("UPDATE t SET n = 1");
    assert.equal(rowsAffected, 0);
    assert.throws(() => d1.transaction("write"), TypeError);
  });

  it("applies the steps of the schema, once", async () => {
    const steps = migrations.map(({ name }) => name);
    assert.deepEqual(await migrate(d1, migrations), steps);
    assert.deepEqual(await migrate(d1, migrations), []);
  });
});

describe("the binding DB", () => {
  it("is a D1 database, or nothing, or refused by name", () => {
    const binding = { prepare: () => {}, batch: () => {} };
    assert.equal(readD1Binding(binding), binding);
    assert.equal(readD1Binding(undefined), undefined);
    for (const other of [{ get: () => {} }, null, 7]) {
      assert.throws(() => readD1Binding(other), /^BadConfiguration: DB: must be bound to a D1/);
    }
  });
});
