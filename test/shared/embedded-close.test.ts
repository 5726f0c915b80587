import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type EmbeddedClient, openEmbeddedClient } from "../../shared/node/embedded-client.ts";

const PRAGMAS = ["journal_mode=WAL", "synchronous=FULL"];
const ROWS = 20;
const ROW_BYTES = 256 * 1024;

describe("a closed embedded database", () => {
  const uses: [name: string, use: (client: EmbeddedClient) => Promise<unknown>][] = [
    ["statements", (client) => client.execute("SELECT * FROM item")],
    ["a batch", (client) => client.batch(["INSERT INTO item VALUES (zeroblob(1))"])],
    ["a checkpoint", (client) => client.batch(Array(ROWS).fill(insertLong()))],
    ["another connection after a lock", async (client) => client.reconnect()],
  ];
  for (const [name, use] of uses) {
    it(`leaves no file beside it after ${name}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), "roundhouse-"));
      const client = openEmbeddedClient({ path: join(folder, "test.db"), pragmas: PRAGMAS });
      await client.execute("CREATE TABLE item (content BLOB)");
      await client.execute("INSERT INTO item VALUES (zeroblob(1))");
      // Kept beyond the close, as a program may keep what reads.
      const kept = await use(client);
      await client.execute("SELECT count(*) FROM item");
      await client[Symbol.asyncDispose]();
      assert.deepEqual(readdirSync(folder), ["test.db"]);
      assert.equal(client.closed, true, String(kept));
      rmSync(folder, { recursive: true });
    });
  }
});

function insertLong(): string {
  return `INSERT INTO item VALUES (zeroblob(${ROW_BYTES}))`;
}
