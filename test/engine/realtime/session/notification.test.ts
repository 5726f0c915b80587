import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createChatHarness, hello, type TestSocket, UUID } from "../../../support/engine/chat.ts";
import { json } from "../../../support/http.ts";

describe("chat.notification", () => {
  const notify = (
    socket: TestSocket,
    data: unknown,
    more: Record<string, unknown> = { id: "n1" },
  ) => socket.say({ type: "chat.notification", data, ...more });

  it("stores a system message, publishes and broadcasts it, runs no agent", async () => {
    await using harness = await createChatHarness();
    const { socket, threadUuid: thread_uuid, test } = harness;
    const before = await json(await test.call("GET", `/threads/${thread_uuid}`));
    const other = harness.connect();
    await hello(other);
    test.deps.clock.advance(1_000);
    await notify(socket, { content: "  note ", thread_uuid });
    const messages = await json(await test.call("GET", `/threads/${thread_uuid}/messages`));
    assert.deepEqual(
      messages.map(({ role, content }: { role: string; content: string }) => [role, content]),
      [["system", "  note "]],
    );
    const message_uuid = messages[0].uuid;
    assert.deepEqual(socket.frames, [
      { v: 1, type: "chat.notification.done", id: "n1", data: { thread_uuid, message_uuid } },
    ]);
    const data = {
      messageId: message_uuid,
      threadId: thread_uuid,
      role: "system",
      content: "  note ",
    };
    const events = test.publishedEvents();
    assert.deepEqual(
      events.map(({ type, data }) => ({ type, data })),
      [{ type: "message.created", data }],
    );
    assert.deepEqual(other.frames.at(-1), { v: 1, type: "message.created", data });
    const after = await json(await test.call("GET", `/threads/${thread_uuid}`));
    assert.ok(after.updatedAt > before.updatedAt);
  });

  it("generates a missing id", async () => {
    await using harness = await createChatHarness();
    const { socket, threadUuid: thread_uuid } = harness;
    await notify(socket, { content: "x", thread_uuid }, {});
    await notify(socket, { content: "x" }, {});
    assert.match(socket.frames[0]!.id!, UUID);
    assert.match(socket.frames[1]!.id!, UUID);
  });

  const refused = [
    ["a blank content", { content: " \n", thread_uuid: "T" }, /content: must not be blank/],
    ["an empty content", { content: "", thread_uuid: "T" }, /content/],
    ["a content that is no string", { content: 1, thread_uuid: "T" }, /content: must be a string/],
    ["no content", { thread_uuid: "T" }, /content: is required/],
    ["no thread", { content: "x" }, /thread_uuid: is required/],
    ["a thread that is no string", { content: "x", thread_uuid: null }, /thread_uuid/],
    ["an unknown thread", { content: "x", thread_uuid: "unknown" }, /^Thread not found\.$/],
    ["no data", null, /content: is required/],
  ] as const;
  for (const [name, data, error] of refused) {
    it(`with ${name} is a correlated chat.notification.error and stores nothing`, async () => {
      await using harness = await createChatHarness();
      const { socket, test, threadUuid } = harness;
      const given = JSON.parse(JSON.stringify(data).replace('"T"', `"${threadUuid}"`));
      await notify(socket, given);
      const [frame] = socket.frames;
      assert.equal(socket.frames.length, 1);
      assert.equal(frame!.type, "chat.notification.error");
      assert.equal(frame!.id, "n1");
      assert.deepEqual(Object.keys(frame!.data), ["error"]);
      assert.match(frame!.data.error, error);
      assert.deepEqual(test.publishedEvents(), []);
      assert.deepEqual(await harness.stored(), []);
    });
  }
});
