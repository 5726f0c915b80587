import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Migration, MigrationRefused, migrate } from "../../shared/migrate.ts";
import { openEmbeddedClient } from "../../shared/node/embedded-client.ts";

const FIRST: Migration = {
  name: "0000_first",
  sql: "CREATE TABLE a (x TEXT) STRICT;\n--> statement-breakpoint\nCREATE TABLE b (x TEXT) STRICT;",
};
const SECOND: Migration = { name: "0001_second", sql: "ALTER TABLE a ADD COLUMN y TEXT" };
const BROKEN: Migration = {
  name: "0001_second",
  sql: "CREATE TABLE c (x TEXT);\n--> statement-breakpoint\nCREATE TABLE a (x TEXT)",
};

function openMemory() {
  return openEmbeddedClient({ path: ":memory:", pragmas: [] });
}

describe("migrations", () => {
  it("are applied once, in order", async () => {
    await using client = openMemory();
    assert.deepEqual(await migrate(client, [FIRST]), ["0000_first"]);
    assert.deepEqual(await migrate(client, [FIRST, SECOND]), ["0001_second"]);
    assert.deepEqual(await migrate(client, [FIRST, SECOND]), []);
    await client.execute("INSERT INTO a (x, y) VALUES ('1', '2')");
  });

  it("are applied whole or not at all", async () => {
    await using client = openMemory();
    await assert.rejects(migrate(client, [FIRST, BROKEN]));
    const tables = await client.execute("SELECT name FROM sqlite_master WHERE name = 'c'");
    assert.equal(tables.rows.length, 0);
    assert.deepEqual(await migrate(client, [FIRST, SECOND]), ["0001_second"]);
  });

  it("refuse a database of a newer program, and a step that was changed", async () => {
    await using client = openMemory();
    await migrate(client, [FIRST, SECOND]);
    await assert.rejects(migrate(client, [FIRST]), MigrationRefused);
    const changed = { ...FIRST, sql: `${FIRST.sql} ` };
    await assert.rejects(migrate(client, [changed, SECOND]), MigrationRefused);
  });
});
