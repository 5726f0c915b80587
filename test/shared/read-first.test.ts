import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Client } from "@libsql/client";
import { createDatabase, readFirst } from "../../shared/database.ts";
import { openEmbeddedClient } from "../../shared/node/embedded-client.ts";

describe("the first row of a query", () => {
  const sql =
    "SELECT value, value * 10, NULL, 'text' FROM json_each('[1, 2, 3]') WHERE value > :least";

  it("is the same through any client", async () => {
    await using embedded = openEmbeddedClient({ path: ":memory:", pragmas: [] });
    const plain = { execute: embedded.execute.bind(embedded) } as Client;
    for (const client of [embedded, plain]) {
      const db = createDatabase(client);
      assert.deepEqual(await readFirst(db, sql, { least: 1 }), [2, 20, null, "text"]);
      assert.equal(await readFirst(db, sql, { least: 3 }), undefined);
      assert.deepEqual(await readFirst(db, "SELECT 7 AS seven"), [7]);
      await assert.rejects(readFirst(db, "SELECT missing"), /no such column/);
    }
  });
});
