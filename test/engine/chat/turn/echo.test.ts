import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createChatHarness, graph } from "../../../support/engine/chat.ts";
import { json } from "../../../support/http.ts";

describe("a chat turn with echo", () => {
  it("sends its frames in the order of the specification, all correlated", async () => {
    await using harness = await createChatHarness();
    const { socket, threadUuid } = harness;
    await socket.chat("t1", { content: "one two three four five", thread_uuid: threadUuid });
    assert.deepEqual(graph(socket.frames), [
      "run.started",
      "node.started",
      "model.delta",
      "model.delta",
      "node.completed",
      "run.completed",
      "chat.delta",
      "chat.done",
    ]);
    for (const frame of socket.frames) {
      assert.equal(frame.v, 1);
      assert.equal(frame.id, "t1");
      assert.equal(frame.data.thread_uuid, threadUuid);
    }
    const [started, node, first, second, completed, ended, delta, done] = socket.frames;
    const { run_id } = started!.data;
    const thread_uuid = threadUuid;
    assert.deepEqual(started!.data, { thread_uuid, type: "run.started", run_id, graph_id: "chat" });
    assert.deepEqual(node!.data, { thread_uuid, type: "node.started", node_id: "model" });
    assert.deepEqual(first!.data, {
      thread_uuid,
      type: "model.delta",
      node_id: "model",
      delta: "one two three ",
    });
    assert.equal(second!.data.delta, "four five");
    assert.deepEqual(completed!.data, { thread_uuid, type: "node.completed", node_id: "model" });
    assert.deepEqual(ended!.data, { thread_uuid, type: "run.completed", run_id });
    assert.deepEqual(delta!.data, { thread_uuid, delta: "one two three four five" });
    assert.deepEqual(done!.data, { thread_uuid });
    assert.deepEqual(await harness.stored(), [
      ["user", "one two three four five"],
      ["assistant", "one two three four five"],
    ]);
  });

  it("publishes the same activity as graph.execution, between the messages", async () => {
    await using harness = await createChatHarness();
    const { socket, threadUuid, test } = harness;
    await socket.chat("t1", { content: "hello", thread_uuid: threadUuid });
    const events = test.publishedEvents();
    assert.deepEqual(
      events.map(({ type, data }) => (type === "graph.execution" ? data.type : type)),
      [
        "message.created",
        "run.started",
        "node.started",
        "model.delta",
        "node.completed",
        "run.completed",
        "message.created",
      ],
    );
    const activity = events.filter(({ type }) => type === "graph.execution");
    const sent = socket.frames.filter(({ type }) => type === "agui.event");
    assert.deepEqual(
      activity.map(({ data }) => data),
      sent.map(({ data }) => data),
    );
    const [user, assistant] = events.filter(({ type }) => type === "message.created");
    const messages = await json(await test.call("GET", `/threads/${threadUuid}/messages`));
    assert.deepEqual(user!.data, {
      messageId: messages[0].uuid,
      threadId: threadUuid,
      role: "user",
      content: "hello",
    });
    assert.equal(assistant!.data.messageId, messages[1].uuid);
    assert.equal(assistant!.data.role, "assistant");
  });

  it("stores before it publishes: a client that gets an event can read its rows", async () => {
    await using harness = await createChatHarness();
    const { socket, threadUuid, test } = harness;
    const reads: Promise<void>[] = [];
    test.deps.events.subscribe(({ type, data }) => {
      if (type !== "message.created") return;
      reads.push(
        test.call("GET", `/threads/${threadUuid}/messages`).then(async (response) => {
          const uuids = (await json(response)).map(({ uuid }: { uuid: string }) => uuid);
          assert.ok(uuids.includes(data.messageId));
        }),
      );
    });
    await socket.chat("t1", { content: "hello", thread_uuid: threadUuid });
    assert.equal(reads.length, 2);
    await Promise.all(reads);
  });

  it("sends chat.done at once where the answer is empty, and stores none", async () => {
    await using harness = await createChatHarness();
    const { socket, threadUuid } = harness;
    await socket.chat("t1", { content: "", thread_uuid: threadUuid });
    assert.deepEqual(graph(socket.frames), [
      "run.started",
      "node.started",
      "node.completed",
      "run.completed",
      "chat.done",
    ]);
    assert.deepEqual(await harness.stored(), [["user", ""]]);
  });

  it("answers exactly the content, with any characters", async () => {
    await using harness = await createChatHarness();
    const { socket, threadUuid } = harness;
    const content = "  \u00e4\n\n 👩‍👩‍👧‍👦 \u0000 \u2028 '\"\\ <b>  ";
    await socket.chat("t1", { content, thread_uuid: threadUuid });
    const deltas = socket.frames.filter(({ data }) => data.type === "model.delta");
    assert.equal(deltas.map(({ data }) => data.delta).join(""), content);
    assert.equal(socket.ofType("chat.delta")[0]!.data.delta, content);
    assert.deepEqual(await harness.stored(), [
      ["user", content],
      ["assistant", content],
    ]);
  });

  it("replaces lone surrogates, the same in storage, events and frames", async () => {
    await using harness = await createChatHarness();
    const { socket, threadUuid, test } = harness;
    await socket.chat("t1", { content: "a\ud800b", thread_uuid: threadUuid });
    assert.equal(socket.ofType("chat.delta")[0]!.data.delta, "a\ufffdb");
    assert.equal(test.publishedEvents()[0]!.data.content, "a\ufffdb");
    assert.equal((await harness.stored())[0]![1], "a\ufffdb");
  });

  it("generates a missing id, the same in all frames of the turn", async () => {
    await using harness = await createChatHarness();
    const { socket, threadUuid: thread_uuid } = harness;
    for (const id of [undefined, null, 7, ""]) {
      socket.frames.length = 0;
      await socket.say({ type: "chat.send", id, data: { content: "x", thread_uuid } });
      while (!socket.frames.some(({ type }) => type === "chat.done")) {
        await new Promise(setImmediate);
      }
      const ids = new Set(socket.frames.map((frame) => frame.id));
      assert.equal(ids.size, 1);
      assert.match(String([...ids][0]), /^[0-9a-f-]{36}$/);
    }
  });

  it("moves updatedAt of its thread", async () => {
    await using harness = await createChatHarness();
    const { socket, threadUuid, test } = harness;
    const before = await json(await test.call("GET", `/threads/${threadUuid}`));
    test.deps.clock.advance(5_000);
    await socket.chat("t1", { content: "x", thread_uuid: threadUuid });
    const after = await json(await test.call("GET", `/threads/${threadUuid}`));
    assert.ok(after.updatedAt > before.updatedAt);
  });

  it("is idle in the tick of its terminal frame: the next send from there is a turn", async () => {
    await using harness = await createChatHarness();
    const { socket, threadUuid: thread_uuid } = harness;
    socket.onFrame = ({ type, id }) => {
      if (type !== "chat.done" || id !== "t1") return;
      void socket.say({ type: "chat.send", id: "t2", data: { content: "2", thread_uuid } });
    };
    await socket.chat("t1", { content: "1", thread_uuid });
    assert.equal((await socket.ended("t2")).type, "chat.done");
    assert.equal(socket.ofType("error").length, 0);
  });
});
