import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { listHistoryBefore } from "../../../engine/messages/store.ts";
import { findThread } from "../../../engine/threads/store.ts";
import { anyText } from "../../support/arbitraries.ts";
import { createTestEngine, type TestEngine } from "../../support/engine/engine.ts";
import { json } from "../../support/http.ts";

const UNKNOWN = "00000000-0000-4000-8000-000000000000";

async function createThread(test: TestEngine): Promise<string> {
  const workspace = await json(await test.call("POST", "/workspaces", { name: "w" }));
  const body = { workspaceUuid: workspace.uuid };
  const { uuid } = await json(await test.call("POST", "/threads", body));
  test.publishedEvents();
  return uuid;
}

describe("POST /messages", () => {
  for (const role of ["user", "assistant", "system", "tool"]) {
    it(`stores a ${role} message as given, moves the thread's time and publishes`, async () => {
      await using test = await createTestEngine();
      const threadUuid = await createThread(test);
      test.deps.clock.advance(5000);
      const body = { threadUuid, role, content: "" };
      const { uuid, ...message } = await json(await test.call("POST", "/messages", body));
      assert.deepEqual(message, {
        threadUuid,
        role,
        content: "",
        createdAt: "2026-01-02T03:04:10.000Z",
      });
      const thread = await json(await test.call("GET", `/threads/${threadUuid}`));
      assert.equal(thread.updatedAt, "2026-01-02T03:04:10.000Z");
      const [event, ...more] = test.publishedEvents();
      assert.equal(event?.type, "message.created");
      assert.deepEqual(event?.data, { messageId: uuid, threadId: threadUuid, role, content: "" });
      assert.deepEqual(more, []);
    });
  }

  it("answers 404 for an unknown thread, and publishes nothing", async () => {
    await using test = await createTestEngine();
    const body = { threadUuid: UNKNOWN, role: "user", content: "c" };
    const error = await json(await test.call("POST", "/messages", body), 404);
    assert.deepEqual(error, { error: "Thread not found." });
    assert.deepEqual(test.publishedEvents(), []);
  });

  for (const [body, details] of [
    [{ role: "user", content: "c" }, "threadUuid: is required"],
    [{ threadUuid: "x", content: "c" }, /^role: must be one of `user`, `assistant`/],
    [{ threadUuid: "x", role: "User", content: "c" }, /^role: must be one of/],
    [{ threadUuid: "x", role: "user" }, "content: is required"],
    [{ threadUuid: "x", role: "user", content: null }, "content: must be a string"],
  ] as const) {
    it(`answers 400 for ${JSON.stringify(body)}`, async () => {
      await using test = await createTestEngine();
      const error = await json(await test.call("POST", "/messages", body), 400);
      if (typeof details === "string") assert.equal(error.details, details);
      else assert.match(error.details, details);
    });
  }

  it("keeps any text", async () => {
    await using test = await createTestEngine();
    const threadUuid = await createThread(test);
    const text = fc.oneof(
      anyText({ maxLength: 200 }),
      fc.constantFrom("\u0000", "a\u0000", "\u0000\u0000b", '"\\\u2028', "🙂\r\n"),
    );
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        const body = { thread_uuid: threadUuid, role: "user", content };
        const { uuid } = await json(await test.call("POST", "/messages", body));
        const list = await json(await test.call("GET", `/threads/${threadUuid}/messages`));
        assert.equal(list.at(-1).uuid, uuid);
        assert.equal(list.at(-1).content, content);
      }),
      { numRuns: 50 },
    );
  });
});

describe("GET /threads/{uuid}/messages", () => {
  it("keeps the order of insertion at one clock time", async () => {
    await using test = await createTestEngine();
    const threadUuid = await createThread(test);
    const contents = Array.from({ length: 300 }, (_, at) => String(at));
    await Promise.all(
      contents.map((content) =>
        test.call("POST", "/messages", { threadUuid, role: "user", content }),
      ),
    );
    const list = await json(await test.call("GET", `/threads/${threadUuid}/messages`));
    assert.deepEqual(
      list.map(({ content }: { content: string }) => content),
      contents,
    );
    const times = list.map(({ createdAt }: { createdAt: string }) => createdAt);
    assert.equal(new Set(times).size, times.length);
    assert.deepEqual(times.toSorted(), times);
    assert.match(times.at(-1), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const thread = await findThread(test.deps.db, threadUuid);
    const latest = { createdAt: "9999", id: 0, after: "", limit: 1000 };
    const history = await listHistoryBefore(test.deps.db, thread?.id ?? 0, latest);
    assert.deepEqual(history.map(({ content }) => content).reverse(), contents);
  });

  it("stays in order when the clock is set back", async () => {
    await using test = await createTestEngine();
    const threadUuid = await createThread(test);
    for (const content of ["first", "second"]) {
      await test.call("POST", "/messages", { threadUuid, role: "user", content });
      test.deps.clock.advance(-60_000);
    }
    const list = await json(await test.call("GET", `/threads/${threadUuid}/messages`));
    assert.deepEqual(
      list.map(({ content }: { content: string }) => content),
      ["first", "second"],
    );
  });

  it("answers 200 [] for an unknown thread", async () => {
    await using test = await createTestEngine();
    assert.deepEqual(await json(await test.call("GET", `/threads/${UNKNOWN}/messages`)), []);
  });
});
