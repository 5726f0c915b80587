// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { inspect } from "node:util";
import { readList } from "../../../engine/db/list.ts";
import { openDatabase } from "../../../engine/db/open.ts";
import {
  LIST_DIRECT_ROWS_MAX,
  LIST_PAGE_BYTES,
  LIST_PAGE_ROWS_MAX,
  LIST_READ_MS_MAX,
} from "../../../engine/limits.ts";
import { messagesOf } from "../../../engine/messages/store.ts";
import { settingsLike, upsertSettings } from "../../../engine/settings/store.ts";
import { threadsOf, touchThreadStatement } from "../../../engine/threads/store.ts";
import { insertWorkspace } from "../../../engine/workspaces/store.ts";
import type { Database } from "../../../shared/database.ts";
import { serve } from "../../../shared/node/serve.ts";
import { TestClock } from "../../support/time.ts";

const NOW = "2026-01-01T00:00:00.000Z";
const LONG = 3 * LIST_PAGE_ROWS_MAX + 7;

interface Harness extends AsyncDisposable {
  db: Database;
  timers: TestClock;
}

/** A workspace `w` with threads `t1` to `t<count>`, newest first, in a file. */
async function createHarness(count: number): Promise<Harness> {
  const folder = mkdtempSync(join(tmpdir(), "roundhouse-list-"));
  const database = await openDatabase(join(folder, "engine.db"));
  const { db } = database;
  await insertWorkspace(db, { name: "w", uuid: "w", networkUuid: "n", now: NOW });
  const threads = `INSERT INTO threads (uuid, workspace_id, title, created_at, updated_at)
    SELECT 't' || value, 1, 'title "' || value || '"', ?1, ?1 FROM json_each(?2) ORDER BY value DESC`;
  const numbers = JSON.stringify(Array.from({ length: count }, (_, at) => at + 1));
  await db.$client.execute({ sql: threads, args: [NOW, numbers] });
  return {
    db,
    timers: new TestClock(),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

const textOf = (body: string | ReadableStream<Uint8Array>) => new Response(body).text();

describe("a list", () => {
  for (const count of [
    0,
    1,
    LIST_DIRECT_ROWS_MAX,
    LIST_DIRECT_ROWS_MAX + 1,
    LIST_PAGE_ROWS_MAX,
    LONG,
  ]) {
    it(`of ${count} is the same JSON, in one piece or as a stream`, async () => {
      await using harness = await createHarness(count);
      const body = await readList(harness, threadsOf("w"));
      assert.equal(typeof body === "string", count <= LIST_DIRECT_ROWS_MAX);
      const expected = Array.from({ length: count }, (_, at) => ({
        id: count - at,
        uuid: `t${at + 1}`,
        workspaceUuid: "w",
        title: `title "${at + 1}"`,
        description: null,
        defaultModelId: null,
        toolsConfig: null,
        createdAt: NOW,
        updatedAt: NOW,
      }));
      assert.equal(await textOf(body), JSON.stringify(expected));
    });
  }

  it("that is streamed is a snapshot, despite writes meanwhile", async () => {
    await using harness = await createHarness(LONG);
    const { db } = harness;
    const body = await readList(harness, threadsOf("w"));
    assert.ok(body instanceof ReadableStream);
    const reader = body.getReader();
    const first = await reader.read();
    // What was not read yet moves to the front, is deleted, and grows.
    await db.$client.batch(
      [
        touchThreadStatement(`t${LONG}`, "2027-01-01T00:00:00.000Z"),
        touchThreadStatement("t1", "2027-01-02T00:00:00.000Z"),
        `DELETE FROM threads WHERE uuid = 't${LONG - 1}'`,
        `INSERT INTO threads (uuid, workspace_id, created_at, updated_at) VALUES ('new', 1, '${NOW}', '0')`,
      ],
      "write",
    );
    let text = new TextDecoder().decode(first.value);
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      text += new TextDecoder().decode(next.value);
    }
    const uuids = JSON.parse(text).map(({ uuid }: { uuid: string }) => uuid);
    assert.deepEqual(
      uuids,
      Array.from({ length: LONG }, (_, at) => `t${at + 1}`),
    );
    const after: { uuid: string }[] = JSON.parse(
      await textOf(await readList(harness, threadsOf("w"))),
    );
    assert.deepEqual(
      after.slice(0, 3).map(({ uuid }) => uuid),
      ["t1", `t${LONG}`, "t2"],
    );
    assert.equal(after.length, LONG);
  });

  it("yields to the event loop between its pages", async () => {
    await using harness = await createHarness(LONG);
    let turns = 0;
    let running = true;
    const turn = () => {
      turns += 1;
      if (running) setImmediate(turn);
    };
    setImmediate(turn);
    await textOf(await readList(harness, threadsOf("w")));
    running = false;
    assert.ok(turns >= 3, `${turns} turns`);
  });

  it("holds little of long entries at once", async () => {
    await using harness = await createHarness(1);
    const message = `INSERT INTO messages (uuid, thread_id, role, content, created_at)
      VALUES (?1, 1, 'user', ?2, '${NOW}')`;
    const content = "x".repeat(200_000);
    for (let at = 0; at < 20; at += 1) {
      await harness.db.$client.execute({ sql: message, args: [`m${at}`, content] });
    }
    const body = await readList(harness, messagesOf("t1"));
    assert.ok(body instanceof ReadableStream);
    const sizes: number[] = [];
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>)
      sizes.push(chunk.length);
    assert.ok(Math.max(...sizes) < 2 * content.length, `${Math.max(...sizes)} bytes`);
    assert.ok(sizes.length >= 20);
  });

  it("of short and long entries is whole, in order and in small pieces", async () => {
    await using harness = await createHarness(1);
    const count = 2 * LIST_PAGE_ROWS_MAX;
    const isLong = (at: number) => at === 3 || at === LIST_PAGE_ROWS_MAX || at === count - 1;
    const numbers = Array.from({ length: count }, (_, at) => ({ at, bytes: isLong(at) ? 3 : 0 }));
    // A long entry alone is over the bound of a page.
    await harness.db.$client.execute({
      sql: `INSERT INTO messages (uuid, thread_id, role, content, created_at)
        SELECT 'm' || (value ->> 'at'), 1, 'user', hex(zeroblob((value ->> 'bytes') * ?2)), ?3 FROM json_each(?1)`,
      args: [JSON.stringify(numbers), LIST_PAGE_BYTES / 4, NOW],
    });
    const body = await readList(harness, messagesOf("t1"));
    assert.ok(body instanceof ReadableStream);
    const chunks: Uint8Array[] = [];
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) chunks.push(chunk);
    const messages: { uuid: string; content: string }[] = JSON.parse(
      Buffer.concat(chunks).toString("utf8"),
    );
    assert.deepEqual(
      messages.map(({ uuid }) => uuid),
      numbers.map(({ at }) => `m${at}`),
    );
    const largest = Math.max(...chunks.map((chunk) => chunk.length));
    assert.ok(largest < 2 * LIST_PAGE_BYTES, `${largest} bytes`);
  });

  it("passes over rows that a filter leaves out, however many", async () => {
    await using harness = await createHarness(0);
    for (let at = 0; at < 3; at += 1) {
      const items = Array.from({ length: 600 }, (_, n) => ({
        key: `k${at * 600 + n}`,
        value: "v",
        tag: n === 599 ? "last" : null,
        client: null,
      }));
      await upsertSettings(harness.db, items);
    }
    const read = async (filters: object) =>
      JSON.parse(await textOf(await readList(harness, settingsLike(filters))));
    const keys = (await read({ tag: "last" })).map(({ key }: { key: string }) => key);
    assert.deepEqual(keys, ["k599", "k1199", "k1799"]);
    assert.equal((await read({})).length, 1_800);
    assert.deepEqual(await read({ key: "k7" }), [
      { key: "k7", value: "v", tag: null, client: null },
    ]);
    assert.deepEqual(await read({ key: "k7", tag: "last" }), []);
  });
});

describe("readers of long lists", () => {
  it("wait for each other where there are too many, and free their place at their end", async () => {
    await using harness = await createHarness(LONG);
    const open = async () => {
      const body = await readList(harness, threadsOf("w"));
      assert.ok(body instanceof ReadableStream);
      return body.getReader();
    };
    const readers = await Promise.all(Array.from({ length: 5 }, open));
    const [first, , , , fifth] = readers;
    await Promise.all(readers.slice(0, 4).map((reader) => reader.read()));
    const waiting = fifth!.read();
    await first!.cancel();
    assert.equal((await waiting).done, false);
    await Promise.all(readers.map((reader) => reader.cancel()));
  });

  it("are cut off where they read too slowly", async () => {
    await using harness = await createHarness(LONG);
    const body = await readList(harness, threadsOf("w"));
    assert.ok(body instanceof ReadableStream);
    const reader = body.getReader();
    await reader.read();
    harness.timers.advance(LIST_READ_MS_MAX);
    await assert.rejects(reader.read(), /too slowly/);
  });

  it("fail where the database is closed", async () => {
    await using harness = await createHarness(LONG);
    const body = await readList(harness, threadsOf("w"));
    assert.ok(body instanceof ReadableStream);
    const reader = body.getReader();
    await reader.read();
    harness.db.$client.close();
    await assert.rejects(reader.read(), /closed/);
  });

  it("end the connection where they fail, and print one line", async ({ mock }) => {
    await using harness = await createHarness(LONG);
    const printed = mock.method(console, "error", () => {});
    const fetch = async () => new Response(await readList(harness, threadsOf("w")));
    await using server = await serve({ host: "127.0.0.1", port: 0, fetch });
    const response = await globalThis.fetch(`http://127.0.0.1:${server.port}/`);
    harness.db.$client.close();
    await assert.rejects(response.text(), TypeError);
    assert.equal(printed.mock.callCount(), 1);
    const [line] = printed.mock.calls[0]?.arguments ?? [];
    assert.equal(inspect(line), "[A long list was cut off: CLIENT_CLOSED: The client is closed]");
  });
});
