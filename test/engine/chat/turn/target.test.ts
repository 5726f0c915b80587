import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ModelPart } from "../../../../engine/models/language-model.ts";
import { createChatHarness } from "../../../support/engine/chat.ts";
import { ScriptedModel, scriptedChat } from "../../../support/providers/model.ts";

const NO_UUID = "00000000-0000-4000-8000-000000000000";

describe("the target of a turn", () => {
  const unknown = [
    ["thread", { thread_uuid: NO_UUID }, "Thread not found.", NO_UUID],
    ["thread by a name that is no uuid", { thread_uuid: "" }, "Thread not found.", ""],
    ["workspace", { workspace_uuid: NO_UUID }, "Workspace not found.", null],
  ] as const;
  for (const [name, target, error, thread_uuid] of unknown) {
    it(`is a chat.error where it is an unknown ${name}`, async () => {
      await using harness = await createChatHarness();
      const { socket, test } = harness;
      const ended = await socket.chat("t1", { content: "x", ...target });
      assert.deepEqual(ended, { v: 1, type: "chat.error", id: "t1", data: { thread_uuid, error } });
      assert.equal(socket.frames.length, 1);
      assert.deepEqual(test.publishedEvents(), []);
    });
  }

  it("stores no user message on an existing thread where no model resolves", async () => {
    await using harness = await createChatHarness();
    const { socket, threadUuid, test } = harness;
    const ended = await socket.chat("t1", {
      content: "x",
      thread_uuid: threadUuid,
      model_id: "unknown",
    });
    assert.equal(ended.type, "chat.error");
    assert.equal(ended.data.thread_uuid, threadUuid);
    assert.deepEqual(await harness.stored(), []);
    assert.deepEqual(test.publishedEvents(), []);
  });

  it("is a chat.error where its thread is deleted before the user message is stored", async () => {
    const model = new ScriptedModel(["never"]);
    const ports = scriptedChat(model);
    let remove = async () => {};
    await using harness = await createChatHarness({
      chat: {
        ...ports,
        resolveModel: async (...input) => {
          await remove();
          return ports.resolveModel(...input);
        },
      },
    });
    const { socket, threadUuid, test } = harness;
    remove = async () => {
      await test.call("DELETE", `/threads/${threadUuid}`);
    };
    const ended = await socket.chat("t1", { content: "x", thread_uuid: threadUuid });
    assert.equal(ended.data.error, "The thread was deleted.");
    assert.equal(model.requests.length, 0);
    assert.deepEqual(test.publishedEvents(), []);
  });

  it("is a chat.error where its thread is deleted while the model answers", async () => {
    let remove = async () => {};
    const model = new ScriptedModel(async function* (): AsyncIterable<ModelPart> {
      await remove();
      yield { type: "delta", text: "late" };
      yield { type: "end", usage: undefined };
    });
    await using harness = await createChatHarness({ chat: scriptedChat(model) });
    const { socket, threadUuid, test } = harness;
    remove = async () => {
      await test.call("DELETE", `/threads/${threadUuid}`);
    };
    const ended = await socket.chat("t1", { content: "x", thread_uuid: threadUuid });
    assert.equal(ended.type, "chat.error");
    assert.equal(ended.data.error, "The thread was deleted.");
    assert.equal(socket.ofType("chat.delta").length, 0);
  });
});
