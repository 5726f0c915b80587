// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { migrations } from "../../../engine/db/migrations.generated.ts";
import { EventBus } from "../../../engine/events/bus.ts";
import {
  MESSAGE_PIECE_BYTES,
  MESSAGE_PIECE_OVERLAP_BYTES,
  MESSAGE_SEARCHED_BYTES,
  MESSAGE_WINDOW_MAX,
  MESSAGES_UNINDEXED_MAX,
} from "../../../engine/search/limits.ts";
import { MessageIndex } from "../../../engine/search/message-index.ts";
import { searchMessages } from "../../../engine/search/search.ts";
import { createDatabase } from "../../../shared/database.ts";
import { silentLogger } from "../../../shared/log.ts";
import { migrate } from "../../../shared/migrate.ts";
import { openEmbeddedClient } from "../../../shared/node/embedded-client.ts";
import { KIB, MIB } from "../../../shared/units.ts";

/** An index in a database of the newest schema or an older one. */
async function openIndex(steps = migrations) {
  const client = openEmbeddedClient({ path: ":memory:", pragmas: [] });
  await migrate(client, steps);
  const db = createDatabase(client);
  const execute = (sql: string, args: string[] = []) => client.execute({ sql, args });
  await execute("INSERT INTO networks (uuid, name, created_at) VALUES ('n', 'n', 'x')");
  await execute(`INSERT INTO workspaces (uuid, network_id, name, created_at, updated_at)
    SELECT 'w' || value, 1, 'w', 'x', 'x' FROM json_each('[1, 2]')`);
  await execute(`INSERT INTO threads (uuid, workspace_id, created_at, updated_at)
    SELECT 't' || value, value, 'x', 'x' FROM json_each('[1, 2]')`);
  let stored = 0;
  const events = new EventBus({ now: () => 0 });
  const index = new MessageIndex({ db, log: silentLogger, events });
  return {
    client,
    index,
    execute,
    upgrade: () => migrate(client, migrations),
    /** Publishes so many stored messages. */
    announce: (count: number) => {
      const data = { messageId: "m", threadId: "t1", role: "user" as const, content: "needle" };
      for (let at = 0; at < count; at += 1) events.publish({ type: "message.created", data });
    },
    indexed: async () => {
      const { rows } = await execute("SELECT up_to FROM indexed_messages");
      return Number(rows[0]?.up_to);
    },
    /** Stores messages at once, as an older engine had. */
    store: async (contents: string[], thread = 1) => {
      const texts = JSON.stringify(contents);
      await execute(
        `INSERT INTO messages (uuid, thread_id, role, content, created_at)
         SELECT 'm' || (${stored} + key), ${thread}, 'user', value, '2026-01-01T00:00:00.000Z' FROM json_each(?1)`,
        [texts],
      );
      stored += contents.length;
    },
    find: async (query: string, scope: { threadUuid?: string; workspaceUuid?: string } = {}) => {
      const { threadUuid, workspaceUuid } = scope;
      const search = { query, limit: 50, threadUuid, workspaceUuid };
      const hits = await searchMessages({ db, index }, search);
      return hits.map(({ messageUuid }) => messageUuid).sort();
    },
    segments: async () => {
      const sql = "SELECT count(DISTINCT segid) AS count FROM message_search_idx";
      return Number((await execute(sql)).rows[0]?.count);
    },
    async [Symbol.asyncDispose]() {
      await index.stop();
      await client[Symbol.asyncDispose]();
    },
  };
}

describe("the index of messages", () => {
  it("merges what its commits and searches wrote in commits of its own", async () => {
    await using harness = await openIndex();
    const { index, store, find, segments, execute } = harness;
    const values = await execute(
      "SELECT v FROM message_search_config WHERE k IN ('automerge', 'crisismerge') ORDER BY k",
    );
    assert.deepEqual(
      values.rows.map(({ v }) => Number(v)),
      [0, 1999],
    );
    const SEARCHES = 40;
    for (let at = 0; at < SEARCHES; at += 1) {
      await store([`needle number${at}`]);
      assert.deepEqual(await find(`number${at}`), [`m${at}`]);
    }
    await index.settled();
    assert.ok((await segments()) < SEARCHES / 2, `${await segments()} segments`);
    await execute("INSERT INTO message_search (message_search) VALUES ('integrity-check')");
    assert.equal((await find("needle")).length, SEARCHES);
  });

  it("takes new messages in batches, and does not follow those that come meanwhile", async () => {
    await using harness = await openIndex();
    const { index, store, announce, indexed, find } = harness;
    const count = MESSAGES_UNINDEXED_MAX + 50;
    await store(Array.from({ length: count }, () => "needle"));
    announce(MESSAGES_UNINDEXED_MAX - 1);
    await index.settled();
    assert.equal(await indexed(), 0);
    announce(1);
    while ((await indexed()) === 0) await new Promise(setImmediate);
    await store(Array.from({ length: 500 }, (_, at) => `needle number${at}`));
    await index.settled();
    const first = await indexed();
    assert.ok(first >= count && first < count + 500, String(first));
    assert.deepEqual(await find("number499"), [`m${count + 499}`]);
    assert.equal(await indexed(), count + 500);
  });

  it("has every message after many commits and merges", async () => {
    await using harness = await openIndex();
    const { index, store, find, segments } = harness;
    const COUNT = 5_000;
    await store(Array.from({ length: COUNT }, (_, at) => `needle number${at}`));
    index.wake();
    await index.settled();
    assert.ok((await segments()) < 20, `${await segments()} segments`);
    for (const at of [0, 1, 999, 2_500, COUNT - 1]) {
      assert.deepEqual(await find(`number${at}`), [`m${at}`]);
    }
  });
});

describe("the messages of an earlier version", () => {
  it("are indexed again, as a whole", async () => {
    await using harness = await openIndex(migrations.filter(({ name }) => name < "0010"));
    const { upgrade, store, find, execute } = harness;
    await store(["short", `long${" x".repeat(300_000)} end`, "gone"]);
    await execute(
      "INSERT INTO message_search (rowid, text) VALUES (1, 'short'), (2, 'long old'), (3, 'gone')",
    );
    await execute("UPDATE message_search_range SET low = 1, high = 3");
    await upgrade();
    await execute("DELETE FROM messages WHERE id = 3");
    for (const [query, found] of Object.entries({ short: "m0", "long end": "m1" })) {
      assert.deepEqual(await find(query), [found]);
    }
    for (const query of ["old", "gone"]) assert.deepEqual(await find(query), []);
    await execute("DELETE FROM messages");
    const { rows } = await execute("SELECT count(*) AS count FROM message_search_docsize");
    assert.equal(Number(rows[0]?.count), 0);
  });
});

describe("long messages and queries", () => {
  const han = (count: number) =>
    Array.from({ length: count }, (_, at) => String.fromCharCode(0x4e00 + ((at * 7919) % 20_000)));

  it("are searched up to their bounds", async () => {
    await using harness = await openIndex();
    const { store, find } = harness;
    const searched = Math.floor(MESSAGE_SEARCHED_BYTES / 3);
    const text = [...han(searched - 2), "甲乙", ...han(searched), "丙丁"].join("");
    // One character of it has 18 in the form of compatibility.
    await store([text, `front ${"\ufdfa".repeat(64 * 1024)} behind`]);
    assert.deepEqual(await find("甲乙"), ["m0"]);
    assert.deepEqual(await find("丙丁"), []);
    assert.deepEqual(await find(text.slice(0, 8_000)), ["m0"]);
    assert.deepEqual(await find("front"), ["m1"]);
    assert.deepEqual(await find("behind"), ["m1"]);
  });

  it("are all ranked, however few fit into one read", async () => {
    await using harness = await openIndex();
    const { index, store, find } = harness;
    const long = `needle ${han(30_000).join("")}`;
    await store([long, long, "needle", long, "needle"]);
    index.wake();
    await index.settled();
    assert.deepEqual(await find("needle"), ["m0", "m1", "m2", "m3", "m4"]);
  });
});

describe("one call to the database", () => {
  it("indexes at most a piece of a long message, or short ones that are no longer together", async (t) => {
    await using harness = await openIndex();
    const { client, index, store, indexed } = harness;
    const texts = [1, 100, 30 * KIB, 40 * KIB, 200 * KIB, 2 * MIB, 5, 31 * KIB, 3 * KIB];
    await store(texts.map((bytes) => "ab ".repeat(bytes).slice(0, bytes)));
    const commits = t.mock.method(client, "execute");
    index.wake();
    await index.settled();
    assert.equal(await indexed(), texts.length);
    const sizes = commits.mock.calls.map(
      ({ arguments: [statement] }) => JSON.stringify(statement).length,
    );
    const FRAME_BYTES_MAX = KIB;
    const bytesMax = MESSAGE_PIECE_BYTES + MESSAGE_PIECE_OVERLAP_BYTES + FRAME_BYTES_MAX;
    assert.ok(Math.max(...sizes) <= bytesMax, `${Math.max(...sizes)} bytes`);
    assert.ok(Math.max(...sizes) > MESSAGE_PIECE_BYTES);
  });

  it("reads a bounded part of the index, however little matches", async (t) => {
    await using harness = await openIndex();
    const { client, store, find, execute } = harness;
    const count = MESSAGE_WINDOW_MAX * 5;
    await store(Array.from({ length: count }, () => "x"));
    await execute("UPDATE indexed_messages SET up_to = (SELECT max(id) FROM messages)");
    const reads = t.mock.method(client, "execute");
    assert.deepEqual(await find("absent"), []);
    const rows = reads.mock.calls.flatMap(({ arguments: [statement] }) => {
      const { sql, args } = statement as { sql: string; args: Record<string, number> };
      return sql.includes("MATCH :expression") ? args.high! + 1 - args.low! : [];
    });
    assert.equal(
      rows.reduce((sum, each) => sum + each),
      count,
    );
    assert.ok(Math.max(...rows) <= MESSAGE_WINDOW_MAX, `${Math.max(...rows)} rows`);
  });
});

describe("a thread or workspace", () => {
  it("is found among newer and older messages of others", async () => {
    await using harness = await openIndex();
    const { index, store, find } = harness;
    const others = Array.from({ length: 2_000 }, () => "needle");
    await store(others);
    await store(["needle one", "needle two"], 2);
    await store(others);
    index.wake();
    await index.settled();
    for (const scope of [{ threadUuid: "t2" }, { workspaceUuid: "w2" }]) {
      assert.deepEqual(await find("needle", scope), ["m2000", "m2001"]);
    }
    assert.deepEqual(await find("needle", { threadUuid: "t2", workspaceUuid: "w1" }), []);
    assert.deepEqual(await find("needle", { threadUuid: "t3" }), []);
  });

  it("costs no look at the rest of a common word's entries", async () => {
    await using harness = await openIndex();
    const { index, store, find, execute } = harness;
    await store(Array.from({ length: 8_000 }, () => "needle"));
    await store(["needle one"], 2);
    index.wake();
    await index.settled();
    await execute("INSERT INTO message_search (message_search) VALUES ('optimize')");
    // A page of the index that is gone fails each read of it: all pages of the word go but its first and last.
    const PAGE = "id & 0x7fffffff";
    const { rowsAffected } =
      await execute(`DELETE FROM message_search_data WHERE id >> 37 > 0 AND (id >> 31) & 63 = 0
      AND ${PAGE} > 1 AND ${PAGE} < (SELECT max(${PAGE}) FROM message_search_data WHERE id >> 37 > 0 AND (id >> 31) & 63 = 0)`);
    assert.ok(rowsAffected > 3, `${rowsAffected} pages`);
    assert.deepEqual(await find("needle", { threadUuid: "t2" }), ["m8000"]);
    const all = "SELECT count(*) FROM message_search WHERE message_search MATCH 'needle'";
    await assert.rejects(execute(all), /malformed/);
  });
});
