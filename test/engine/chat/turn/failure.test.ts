import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { STOPPED } from "../../../../engine/chat/history.ts";
import { ModelFailure, type ModelPart } from "../../../../engine/models/language-model.ts";
import { createChatHarness, graph } from "../../../support/engine/chat.ts";
import { ScriptedModel, scriptedChat } from "../../../support/providers/model.ts";

describe("a turn that fails", () => {
  const failures = [
    ["a model failure", new ModelFailure("The provider said 401."), "The provider said 401."],
    ["an unexpected fault", new Error("secret detail"), "Internal server error."],
    ["a model failure that quotes a key", new ModelFailure("bad sk-abcdefgh12345"), /bad \[red/],
  ] as const;
  for (const [name, failure, text] of failures) {
    it(`by ${name} sends run.failed, then chat.error, and keeps the user message`, async () => {
      const model = new ScriptedModel(["some text ", failure], ["fine"]);
      await using harness = await createChatHarness({ chat: scriptedChat(model) });
      const { socket, threadUuid: thread_uuid } = harness;
      const error = await socket.chat("t1", { content: "x", thread_uuid });
      assert.deepEqual(graph(socket.frames), [
        "run.started",
        "node.started",
        "model.delta",
        "run.failed",
        "chat.error",
      ]);
      assert.match(error.data.error, typeof text === "string" ? new RegExp(`^${text}$`) : text);
      assert.equal(socket.frames.at(-2)!.data.error, error.data.error);
      assert.equal(error.data.thread_uuid, thread_uuid);
      assert.deepEqual(await harness.stored(), [["user", "x"]]);
      assert.equal((await socket.chat("t2", { content: "y", thread_uuid })).type, "chat.done");
      assert.deepEqual(model.requests[1]!.messages, [
        { role: "user", content: "x" },
        { role: "assistant", content: `some text \n\n${STOPPED}` },
        { role: "user", content: "y" },
      ]);
    });
  }

  it("in the middle of a burst sends nothing of the rest after its end", async () => {
    const burst = Array.from({ length: 100 }, (_, at) => `${at} `);
    const model = new ScriptedModel([...burst, new ModelFailure("broken")]);
    await using harness = await createChatHarness({ chat: scriptedChat(model) });
    const { socket, threadUuid: thread_uuid, test } = harness;
    await socket.chat("t1", { content: "x", thread_uuid });
    const frames = socket.frames.length;
    test.publishedEvents();
    for (let at = 0; at < 5; at += 1) await new Promise(setImmediate);
    assert.equal(socket.frames.length, frames);
    assert.deepEqual(test.publishedEvents(), []);
  });

  it("or ends in any other way has an aborted signal: none of its work continues", async () => {
    const signals: AbortSignal[] = [];
    const step = (failure?: Error) =>
      async function* (_request: unknown, signal: AbortSignal): AsyncIterable<ModelPart> {
        signals.push(signal);
        if (failure) throw failure;
        yield { type: "end", usage: undefined };
      };
    const model = new ScriptedModel(step(), step(new ModelFailure("broken")));
    await using harness = await createChatHarness({ chat: scriptedChat(model) });
    const { socket, threadUuid: thread_uuid } = harness;
    await socket.chat("t1", { content: "x", thread_uuid });
    await socket.chat("t2", { content: "x", thread_uuid });
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, true],
    );
  });

  it("by a model that cannot be created ends in the same way", async () => {
    const create = () => Promise.reject(new ModelFailure("The region is missing."));
    await using harness = await createChatHarness({
      chat: scriptedChat(new ScriptedModel(), { resolved: { create } }),
    });
    const { socket, threadUuid: thread_uuid } = harness;
    const error = await socket.chat("t1", { content: "x", thread_uuid });
    assert.deepEqual(graph(socket.frames), ["run.started", "run.failed", "chat.error"]);
    assert.equal(error.data.error, "The region is missing.");
    assert.deepEqual(await harness.stored(), [["user", "x"]]);
  });

  const malformed = [
    ["toolsConfig of the workspace", { toolsConfig: "[]" }, {}],
    ["toolsConfig of the thread", {}, { toolsConfig: "{" }],
  ] as const;
  for (const [name, workspace, thread] of malformed) {
    it(`by a malformed ${name}`, async () => {
      await using harness = await createChatHarness({}, workspace);
      const { socket, threadUuid: thread_uuid, test } = harness;
      await test.call("PUT", `/threads/${thread_uuid}`, thread);
      const error = await socket.chat("t1", { content: "x", thread_uuid });
      assert.equal(error.type, "chat.error");
      assert.match(error.data.error, /toolsConfig/);
      assert.deepEqual(await harness.stored(), [["user", "x"]]);
    });
  }

  it("by malformed skills names their owner", async () => {
    await using harness = await createChatHarness();
    const { socket, threadUuid: thread_uuid, test } = harness;
    await test.call("PUT", `/threads/${thread_uuid}/policy`, { skillsConfig: "nonsense" });
    const error = await socket.chat("t1", { content: "x", thread_uuid });
    assert.match(error.data.error, /skillsConfig of the thread/);
  });
});
