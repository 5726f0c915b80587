import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DeletedRows } from "../../../engine/db/deleted-rows.ts";
import { FORK_SLICE_BYTES, FORK_SLICE_ROWS } from "../../../engine/forks/limits.ts";
import { findThread } from "../../../engine/threads/store.ts";
import type { Database } from "../../../shared/database.ts";
import {
  createTestEngine,
  deletedRowsGone,
  TEST_HEADERS,
  type TestEngine,
} from "../../support/engine/engine.ts";
import { json } from "../../support/http.ts";

type Message = { uuid: string; role: string; content: string; createdAt: string };

/** A workspace with a thread of these messages, `role:text`. */
async function harnessOf(...texts: string[]) {
  const test = await createTestEngine();
  const post = async (path: string, body: object, status = 200) =>
    json(await test.call("POST", path, body), status);
  const list = async (path: string) => json(await test.call("GET", path));
  const workspaceUuid = (await post("/workspaces", { name: "w" })).uuid;
  const fields = { title: "t", description: "d", defaultModelId: "echo", toolsConfig: "{}" };
  const thread = await post("/threads", { workspaceUuid, ...fields });
  const policy = { approvalConfig: '{"read":false}', skillsConfig: '{"skills":[]}' };
  await test.call("PUT", `/threads/${thread.uuid}/policy`, policy);
  const messages: Message[] = [];
  for (const text of texts) {
    const [role, content] = text.split(":");
    messages.push(await post("/messages", { threadUuid: thread.uuid, role, content }));
  }
  test.publishedEvents();
  return {
    test,
    post,
    list,
    workspaceUuid,
    thread,
    messages,
    fork: (body?: object, status = 201) =>
      post(`/threads/${thread.uuid}/forks`, body ?? {}, status),
    messagesOf: (uuid: string): Promise<Message[]> => list(`/threads/${uuid}/messages`),
    async [Symbol.asyncDispose]() {
      await test.engine.close();
      await test[Symbol.asyncDispose]();
    },
  };
}

const shown = (messages: Message[]) =>
  messages.map(({ role, content, createdAt }) => [role, content, createdAt]);

const CONVERSATION = ["user:one", "tool:{}", "assistant:first", "user:two", "assistant:second"];

describe("a fork", () => {
  it("has the messages up to one in their order, and the settings of the thread", async () => {
    await using harness = await harnessOf(...CONVERSATION);
    const { test, thread, messages } = harness;
    const throughMessageUuid = messages[2]!.uuid;
    const response = await test.call("POST", `/threads/${thread.uuid}/forks`, {
      throughMessageUuid,
    });
    const fork = await json(response, 201);
    assert.equal(response.headers.get("location"), `/api/v1/threads/${fork.uuid}`);
    const copies = await harness.messagesOf(fork.uuid);
    assert.deepEqual(shown(copies), shown(messages.slice(0, 3)));
    const uuids = new Set([...copies, ...messages].map(({ uuid }) => uuid));
    assert.equal(uuids.size, copies.length + messages.length);
    const { title, description, defaultModelId, toolsConfig, workspaceUuid } = thread;
    assert.deepEqual(
      [fork.title, fork.description, fork.defaultModelId, fork.toolsConfig, fork.workspaceUuid],
      [title, description, defaultModelId, toolsConfig, workspaceUuid],
    );
    const policies = [fork, thread].map(({ uuid }) => harness.list(`/threads/${uuid}/policy`));
    const [ofFork, ofThread] = await Promise.all(policies);
    assert.deepEqual(ofFork, ofThread);
    assert.deepEqual(shown(await harness.messagesOf(thread.uuid)), shown(messages));
  });

  it("is published as a thread, is the newest of its list, and names where it came from", async () => {
    await using harness = await harnessOf(...CONVERSATION);
    const { test, thread, messages, workspaceUuid } = harness;
    const whole = await harness.fork({ title: "Another" });
    const events = test.publishedEvents().map(({ type, data }) => [type, data.threadId]);
    assert.deepEqual(events, [["thread.created", whole.uuid]]);
    const threads = await harness.list(`/workspaces/${workspaceUuid}/threads`);
    assert.deepEqual(
      threads.map(({ uuid, title }: { uuid: string; title: string }) => [uuid, title]),
      [
        [whole.uuid, "Another"],
        [thread.uuid, "t"],
      ],
    );
    const plain = { replacedMessageUuid: null, replacementMessageUuid: null };
    const messageUuid = messages.at(-1)!.uuid;
    assert.deepEqual(await harness.list(`/threads/${whole.uuid}/origin`), {
      threadUuid: thread.uuid,
      messageUuid,
      ...plain,
    });
    const [listed] = await harness.list(`/threads/${thread.uuid}/forks`);
    assert.deepEqual(listed, {
      threadUuid: whole.uuid,
      throughMessageUuid: messageUuid,
      createdAt: listed.createdAt,
      ...plain,
    });
    await json(await test.call("GET", `/threads/${thread.uuid}/origin`), 404);
  });

  it("of an empty thread is empty, and one of a fork is a fork of that", async () => {
    await using harness = await harnessOf();
    const { thread } = harness;
    const first = await harness.fork();
    assert.deepEqual(await harness.messagesOf(first.uuid), []);
    assert.equal((await harness.list(`/threads/${first.uuid}/origin`)).messageUuid, null);
    const second = await harness.post(`/threads/${first.uuid}/forks`, {}, 201);
    assert.equal((await harness.list(`/threads/${second.uuid}/origin`)).threadUuid, first.uuid);
    assert.equal((await harness.list(`/threads/${thread.uuid}/forks`)).length, 1);
  });

  it("stays when its origin is deleted, and has none then", async () => {
    await using harness = await harnessOf(...CONVERSATION);
    const { test, thread } = harness;
    const fork = await harness.fork();
    await test.call("DELETE", `/threads/${thread.uuid}`);
    await json(await test.call("GET", `/threads/${fork.uuid}/origin`), 404);
    assert.deepEqual(await harness.list(`/threads/${thread.uuid}/forks`), []);
    await deletedRowsGone(test.deps.db);
    assert.equal((await harness.messagesOf(fork.uuid)).length, CONVERSATION.length);
  });

  const BAD: [string, object, RegExp][] = [
    ["a message of another thread", { throughMessageUuid: "none" }, /throughMessageUuid/],
    ["a title that is no text", { title: 1 }, /title/],
  ];
  for (const [what, body, details] of BAD) {
    it(`is 400 for ${what}, and leaves nothing`, async () => {
      await using harness = await harnessOf(...CONVERSATION);
      assert.match((await harness.fork(body, 400)).details, details);
      assert.equal(await rowsOf(harness.test, "threads"), 1);
    });
  }
});

const rowsOf = async ({ deps }: TestEngine, table: string) => {
  const { rows } = await deps.db.$client.execute(`SELECT count(*) AS count FROM ${table}`);
  return Number(rows[0]!.count);
};

/** A thread of many messages, written by SQL. */
async function longThread(count: number, content = "text") {
  const harness = await harnessOf("user:first");
  const { db } = harness.test.deps;
  const thread = (await findThread(db, harness.thread.uuid))!;
  await db.$client.execute({
    sql: `INSERT INTO messages (uuid, thread_id, role, content, created_at)
      SELECT 'm' || value, :id, 'user', :content, '2100-01-01T00:00:00.000Z' FROM generate_series(1, :count)`,
    args: { id: thread.id, content, count },
  });
  return { ...harness, thread, db };
}

/** The numbers of rows that each commit of a copy takes. Before each one `look` runs. */
function watchSlices({ $client }: Database, look: () => Promise<void>): number[] {
  const slices: number[] = [];
  const client = $client as unknown as { batch(statements: unknown[]): Promise<unknown> };
  const write = client.batch.bind(client);
  client.batch = async (statements: { args?: { forkId?: number; rows?: string } }[]) => {
    const { args } = statements[0]!;
    if (args?.forkId !== undefined && args.rows !== undefined) {
      slices.push(JSON.parse(args.rows).length);
      await look();
    }
    return write(statements);
  };
  return slices;
}

describe("a fork of a long thread", () => {
  const LONG: [string, count: number, content: string, rowsMax: number][] = [
    ["rows", FORK_SLICE_ROWS * 3, "text", FORK_SLICE_ROWS],
    ["bytes", 5, "x".repeat(FORK_SLICE_BYTES * 0.4), 3],
  ];
  for (const [what, count, content, rowsMax] of LONG) {
    it(`is made in slices of bounded ${what}, and nothing finds it before the last one`, async () => {
      await using harness = await longThread(count, content);
      const { list, workspaceUuid, thread, db } = harness;
      const slices = watchSlices(db, async () => {
        assert.equal((await list(`/workspaces/${workspaceUuid}/threads`)).length, 1);
        assert.deepEqual(await list(`/threads/${thread.uuid}/forks`), []);
      });
      const fork = await harness.fork();
      assert.equal((await harness.messagesOf(fork.uuid)).length, count + 1);
      assert.ok(slices.length > 1 && Math.max(...slices) <= rowsMax, `${slices}`);
    });
  }

  const ENDS = {
    "its client cancels it": [400, ({ cancelling }) => cancelling.abort()],
    "the engine stops": [503, ({ test }) => void test.engine.close()],
    "its origin is deleted": [
      404,
      async ({ test, path }) => void (await test.call("DELETE", path.replace("/forks", ""))),
    ],
  } satisfies Record<
    string,
    [number, (place: { test: TestEngine; path: string; cancelling: AbortController }) => unknown]
  >;
  for (const [what, [status, end]] of Object.entries(ENDS)) {
    it(`that is not complete when ${what} leaves nothing`, async () => {
      await using harness = await longThread(500);
      const { test, thread, db } = harness;
      const path = `/threads/${thread.uuid}/forks`;
      const cancelling = new AbortController();
      const slices = watchSlices(db, async () => {
        await end({ test, path, cancelling });
      });
      const { signal } = cancelling;
      const init = { method: "POST", headers: TEST_HEADERS, signal };
      const request = new Request(`http://127.0.0.1/api/v1${path}`, init);
      await json(await test.engine.fetch(request), status);
      assert.ok(slices.length > 0);
      const types = test.publishedEvents().map(({ type }) => type);
      assert.ok(!types.includes("thread.created"));
      // What a stop leaves is removed by the next start.
      const deletedRows = new DeletedRows(test.deps);
      deletedRows.wake();
      await deletedRows.settled();
      assert.ok((await rowsOf(test, "threads")) <= 1);
      assert.equal(await rowsOf(test, "messages"), status === 404 ? 0 : 501);
    });
  }
});
