import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createChatHarness } from "../../../support/engine/chat.ts";
import { json } from "../../../support/http.ts";
import { ScriptedModel, scriptedChat } from "../../../support/providers/model.ts";

describe("the model of a turn", () => {
  it("is chosen by frame, thread, workspace and echo, and the resolved id is written", async () => {
    await using harness = await createChatHarness();
    const { socket, threadUuid, workspaceUuid, test } = harness;
    const defaultModel = async () =>
      (await json(await test.call("GET", `/threads/${threadUuid}`))).defaultModelId;
    await socket.chat("t1", { content: "x", thread_uuid: threadUuid });
    assert.equal(await defaultModel(), null);
    await socket.chat("t2", { content: "x", thread_uuid: threadUuid, model_id: "echo" });
    assert.equal(await defaultModel(), "echo");
    const done = await socket.chat("t3", {
      content: "x",
      workspace_uuid: workspaceUuid,
      model_id: "echo",
    });
    const thread = await json(await test.call("GET", `/threads/${done.data.thread_uuid}`));
    assert.equal(thread.defaultModelId, "echo");
    assert.equal(test.publishedEvents().filter(({ type }) => type === "thread.updated").length, 0);
  });

  it("that a default names and that does not exist is a chat.error, never a fallback", async () => {
    await using harness = await createChatHarness({}, { defaultModelId: "gone too" });
    const { socket, threadUuid: thread_uuid, workspaceUuid, test } = harness;
    const fails = async (target: Record<string, string>) => {
      const error = await socket.chat(crypto.randomUUID(), { content: "x", ...target });
      assert.equal(error.type, "chat.error");
    };
    await fails({ thread_uuid });
    await fails({ workspace_uuid: workspaceUuid });
    await test.call("PUT", `/threads/${thread_uuid}`, { defaultModelId: "gone" });
    await fails({ thread_uuid });
    assert.deepEqual(await harness.stored(), []);
    const done = await socket.chat("t", { content: "x", thread_uuid, model_id: "echo" });
    assert.equal(done.type, "chat.done");
  });

  it("gets the three candidates in order", async () => {
    const asked: unknown[] = [];
    const ports = scriptedChat(new ScriptedModel([], []));
    await using harness = await createChatHarness(
      {
        chat: {
          ...ports,
          resolveModel: async (deps, choice) => {
            asked.push(choice);
            return { ...(await ports.resolveModel(deps, choice)), persist: "m3" };
          },
        },
      },
      { defaultModelId: "m1" },
    );
    const { socket, threadUuid, test } = harness;
    await test.call("PUT", `/threads/${threadUuid}`, { defaultModelId: "m2" });
    await socket.chat("t1", { content: "x", thread_uuid: threadUuid, model_id: "m0" });
    await socket.chat("t2", { content: "x", thread_uuid: threadUuid, model_id: null });
    assert.deepEqual(asked, [
      { requested: "m0", threadDefault: "m2", workspaceDefault: "m1" },
      { requested: null, threadDefault: "m3", workspaceDefault: "m1" },
    ]);
  });
});
