import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ModelPart } from "../../../engine/models/language-model.ts";
import { createChatHarness } from "../../support/engine/chat.ts";
import { json } from "../../support/http.ts";
import { ScriptedModel, scriptedChat } from "../../support/providers/model.ts";

describe("the thread of a turn", () => {
  it("moves updatedAt when the answer is stored", async () => {
    const times: string[] = [];
    let look = async () => {};
    const model = new ScriptedModel(async function* (): AsyncIterable<ModelPart> {
      await look();
      yield { type: "delta", text: "answer" };
      yield { type: "end", usage: undefined };
    });
    await using harness = await createChatHarness({ chat: scriptedChat(model) });
    const { socket, threadUuid: thread_uuid, test } = harness;
    const updatedAt = async () =>
      (await json(await test.call("GET", `/threads/${thread_uuid}`))).updatedAt;
    look = async () => {
      times.push(await updatedAt());
      test.deps.clock.advance(1_000);
    };
    await socket.chat("t1", { content: "x", thread_uuid });
    const [duringTheTurn = ""] = times;
    assert.ok((await updatedAt()) > duringTheTurn);
  });
});
