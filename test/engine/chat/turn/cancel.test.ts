// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ModelFailure, type ModelPart } from "../../../../engine/models/language-model.ts";
import { createChatHarness, graph } from "../../../support/engine/chat.ts";
import { ScriptedModel, scriptedChat } from "../../../support/providers/model.ts";

describe("cancel", () => {
  /** A model that speaks, then waits until the turn is stopped. */
  const hanging = (...texts: string[]) =>
    async function* (): AsyncIterable<ModelPart> {
      for (const text of texts) yield { type: "delta", text };
      await new Promise(() => {});
    };

  const ways = [
    ["its envelope id", { id: "t1" }],
    ["data.turn_id", { data: { turn_id: "t1" } }],
    ["its envelope id, whatever data.turn_id says", { id: "t1", data: { turn_id: "other" } }],
  ] as const;
  for (const [name, frame] of ways) {
    it(`by ${name} ends the turn, even of a model that ignores its signal`, async () => {
      const model = new ScriptedModel(hanging("partial "), ["fine"]);
      await using harness = await createChatHarness({ chat: scriptedChat(model) });
      const { socket, threadUuid: thread_uuid } = harness;
      await socket.say({ type: "chat.send", id: "t1", data: { content: "x", thread_uuid } });
      while (!graph(socket.frames).includes("model.delta")) await new Promise(setImmediate);
      await socket.say({ type: "chat.cancel", ...frame });
      const ended = await socket.ended("t1");
      assert.deepEqual(ended, { v: 1, type: "chat.cancelled", id: "t1", data: { thread_uuid } });
      assert.deepEqual(graph(socket.frames).slice(-2), ["run.aborted", "chat.cancelled"]);
      assert.deepEqual(await harness.stored(), [["user", "x"]]);
      assert.equal((await socket.chat("t2", { content: "y", thread_uuid })).type, "chat.done");
      assert.equal(socket.frames.filter(({ id }) => id === "t1").at(-1)!.type, "chat.cancelled");
    });
  }

  const misses = [
    ["another id", { id: "t0" }],
    ["another turn_id", { data: { turn_id: "t0" } }],
    ["another id though data.turn_id matches", { id: "t0", data: { turn_id: "t1" } }],
    ["no id", {}],
    ["a turn_id that is no string", { data: { turn_id: 1 } }],
  ] as const;
  for (const [name, frame] of misses) {
    it(`with ${name} is silent and ends nothing`, async () => {
      const model = new ScriptedModel(hanging("partial "));
      await using harness = await createChatHarness({ chat: scriptedChat(model) });
      const { socket, threadUuid: thread_uuid } = harness;
      await socket.say({ type: "chat.send", id: "t1", data: { content: "x", thread_uuid } });
      while (!graph(socket.frames).includes("model.delta")) await new Promise(setImmediate);
      const before = socket.frames.length;
      await socket.say({ type: "chat.cancel", ...frame });
      await socket.say({ type: "ping" });
      assert.deepEqual(
        socket.frames.slice(before).map(({ type }) => type),
        ["pong"],
      );
      await socket.say({ type: "chat.cancel", id: "t1" });
      assert.equal((await socket.ended("t1")).type, "chat.cancelled");
    });
  }

  it("while idle is silent", async () => {
    await using harness = await createChatHarness();
    const { socket } = harness;
    await socket.say({ type: "chat.cancel", id: "t1" });
    assert.deepEqual(socket.frames, []);
  });

  const late = [
    ["run.failed", [new ModelFailure("broken")], "chat.error"],
    ["run.completed", ["fine"], "chat.done"],
  ] as const;
  for (const [event, step, expected] of late) {
    it(`after ${event} is too late: the turn keeps its end`, async () => {
      const model = new ScriptedModel(step);
      await using harness = await createChatHarness({ chat: scriptedChat(model) });
      const { socket, threadUuid: thread_uuid } = harness;
      socket.onFrame = ({ data }) => {
        if (data.type === event) void socket.say({ type: "chat.cancel", id: "t1" });
      };
      assert.equal((await socket.chat("t1", { content: "x", thread_uuid })).type, expected);
      assert.equal(graph(socket.frames).includes("run.aborted"), false);
    });
  }

  it("in the tick of the send still stores the thread and the user message", async () => {
    await using harness = await createChatHarness();
    const { socket, workspaceUuid } = harness;
    const data = { content: "keep me", workspace_uuid: workspaceUuid };
    void socket.say({ type: "chat.send", id: "t1", data });
    await socket.say({ type: "chat.cancel", id: "t1" });
    const ended = await socket.ended("t1");
    assert.equal(ended.type, "chat.cancelled");
    assert.deepEqual(await harness.stored(ended.data.thread_uuid), [["user", "keep me"]]);
  });
});
