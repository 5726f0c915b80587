import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ModelPart } from "../../../../engine/models/language-model.ts";
import { createChatHarness } from "../../../support/engine/chat.ts";
import { ScriptedModel, scriptedChat } from "../../../support/providers/model.ts";

describe("a second chat.send during a turn", () => {
  it("is an uncorrelated error, also where its data is invalid, and the turn continues", async () => {
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const model = new ScriptedModel(async function* (): AsyncIterable<ModelPart> {
      await gate;
      yield { type: "delta", text: "done" };
      yield { type: "end", usage: undefined };
    });
    await using harness = await createChatHarness({ chat: scriptedChat(model) });
    const { socket, threadUuid: thread_uuid } = harness;
    await socket.say({ type: "chat.send", id: "t1", data: { content: "x", thread_uuid } });
    for (const data of [{ content: "y", thread_uuid }, {}]) {
      await socket.say({ type: "chat.send", id: "t2", data });
      const error = socket.frames.at(-1)!;
      assert.equal(error.type, "error");
      assert.equal("id" in error, false);
      assert.match(error.data.error, /turn is active/i);
    }
    go();
    assert.equal((await socket.ended("t1")).type, "chat.done");
    assert.equal(socket.frames.filter(({ id }) => id === "t2").length, 0);
    assert.deepEqual(await harness.stored(), [
      ["user", "x"],
      ["assistant", "done"],
    ]);
  });

  it("on another connection is a turn of its own", async () => {
    await using harness = await createChatHarness();
    const { socket, threadUuid: thread_uuid } = harness;
    const other = harness.connect();
    const ends = await Promise.all([
      socket.chat("t", { content: "a", thread_uuid }),
      other.chat("t", { content: "b", thread_uuid }),
    ]);
    assert.deepEqual(
      ends.map(({ type }) => type),
      ["chat.done", "chat.done"],
    );
    assert.equal((await harness.stored()).length, 4);
  });
});
