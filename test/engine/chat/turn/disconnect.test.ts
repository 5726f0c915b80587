import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ModelPart } from "../../../../engine/models/language-model.ts";
import { createChatHarness, graph, TestSocket } from "../../../support/engine/chat.ts";
import { ScriptedModel, scriptedChat, testTool } from "../../../support/providers/model.ts";

describe("a connection that closes during a turn", () => {
  it("cancels it in silence; others see run.aborted; the user message stays", async () => {
    let aborted = false;
    const model = new ScriptedModel(async function* (_request, signal): AsyncIterable<ModelPart> {
      yield { type: "delta", text: "partial" };
      signal.addEventListener("abort", () => {
        aborted = true;
      });
      await new Promise(() => {});
    });
    await using harness = await createChatHarness({ chat: scriptedChat(model) });
    const { socket, threadUuid: thread_uuid, test } = harness;
    await socket.say({ type: "chat.send", id: "t1", data: { content: "x", thread_uuid } });
    while (!graph(socket.frames).includes("model.delta")) await new Promise(setImmediate);
    const before = socket.frames.length;
    await socket.session.close();
    assert.equal(aborted, true);
    assert.equal(socket.frames.length, before);
    assert.equal(test.publishedEvents().at(-1)!.data.type, "run.aborted");
    assert.deepEqual(await harness.stored(), [["user", "x"]]);
    await socket.say({ type: "ping" });
    assert.equal(socket.frames.length, before);
  });

  it("before its message is stored keeps the message, and is through when it is closed", async () => {
    await using harness = await createChatHarness();
    const { socket, threadUuid: thread_uuid, test } = harness;
    await socket.say({ type: "chat.send", id: "t1", data: { content: "x", thread_uuid } });
    await socket.session.close();
    assert.equal(test.publishedEvents().at(-1)!.data.type, "run.aborted");
    for (let at = 0; at < 5; at += 1) await new Promise(setImmediate);
    assert.deepEqual(test.publishedEvents(), []);
    assert.deepEqual(socket.frames, []);
    assert.deepEqual(await harness.stored(), [["user", "x"]]);
  });

  it("because the engine stops ends the wait for an approval", async () => {
    const model = new ScriptedModel([{ call: "create_value", args: {} }]);
    const tool = testTool("create_value", async () => assert.fail("it ran"));
    await using harness = await createChatHarness(
      { chat: scriptedChat(model, { tools: [tool] }) },
      { approvalConfig: null },
    );
    const { socket, threadUuid: thread_uuid, test } = harness;
    await socket.say({ type: "chat.send", id: "t1", data: { content: "x", thread_uuid } });
    await socket.next("tool.approval.request");
    await test.engine.close();
    assert.equal(test.publishedEvents().at(-1)!.data.type, "run.aborted");
    assert.deepEqual(await harness.stored(), [["user", "x"]]);
  });

  it("because the engine stops is closed with 1001", async () => {
    const model = new ScriptedModel(async function* (): AsyncIterable<ModelPart> {
      yield { type: "delta", text: "partial" };
      await new Promise(() => {});
    });
    await using harness = await createChatHarness({ chat: scriptedChat(model) });
    const { socket, threadUuid: thread_uuid, test } = harness;
    const idle = new TestSocket(test.engine);
    await socket.say({ type: "chat.send", id: "t1", data: { content: "x", thread_uuid } });
    await test.engine.close();
    assert.equal(socket.closed?.code, 1001);
    assert.equal(idle.closed?.code, 1001);
  });
});
