import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ModelFailure } from "../../../engine/models/language-model.ts";
import { interruptActiveTurns } from "../../../engine/turns/record-store.ts";
import { MIB } from "../../../shared/units.ts";
import { type ChatWorld, createChatWorld } from "../../support/engine/chat.ts";
import { UUID } from "../../support/engine/hello.ts";
import { answer, chat, send, worldOf } from "../../support/engine/tool-turns.ts";
import { endlessStep, meteredStep, turnOf } from "../../support/engine/turns.ts";
import { json } from "../../support/json.ts";

const SECOND_MS = 1_000;

async function streaming({ socket }: ChatWorld): Promise<void> {
  while ((await socket.next("agui.event")).data.type !== "model.delta");
}

describe("the record of a turn over the WebSocket", () => {
  it("names its messages, its model and its times once it is complete", async () => {
    await using world = await createChatWorld();
    const { test, threadUuid, workspaceUuid } = world;
    assert.equal((await chat(world)).type, "chat.done");
    const { uuid, ...turn } = await turnOf(test);
    assert.match(uuid, UUID);
    const messages = await json(await test.call("GET", `/threads/${threadUuid}/messages`));
    assert.deepEqual(turn, {
      threadUuid,
      workspaceUuid,
      source: "websocket",
      state: "completed",
      error: null,
      partialText: null,
      userMessageUuid: messages[0].uuid,
      assistantMessageUuid: messages[1].uuid,
      model: "echo",
      inputTokens: null,
      outputTokens: null,
      omittedToolGroups: [],
      startedAt: "2026-01-02T03:04:05.000Z",
      endedAt: "2026-01-02T03:04:05.000Z",
    });
    assert.deepEqual(await turnOf(test, uuid), { uuid, ...turn });
  });

  it("is completed without an assistant message where the answer is empty", async () => {
    await using world = await worldOf([[]]);
    await chat(world);
    const { state, assistantMessageUuid, endedAt } = await turnOf(world.test);
    assert.deepEqual([state, assistantMessageUuid], ["completed", null]);
    assert.ok(endedAt);
  });

  it("keeps the error and what was streamed of one that failed", async () => {
    await using world = await worldOf([["half an ", "answer", new ModelFailure("It broke.")]]);
    assert.equal((await chat(world)).type, "chat.error");
    const { state, error, partialText, assistantMessageUuid } = await turnOf(world.test);
    assert.deepEqual(
      [state, error, partialText, assistantMessageUuid],
      ["failed", "It broke.", "half an answer", null],
    );
    assert.deepEqual(await world.stored(), [["user", "go"]]);
  });

  it("is cancelled by its client, and by a socket that closes", async () => {
    const steps = [endlessStep("first"), endlessStep("second")];
    await using world = await worldOf(steps);
    await send(world, "t1");
    await streaming(world);
    await world.socket.say({ type: "chat.cancel", id: "t1" });
    await world.socket.ended("t1");
    const cancelled = await turnOf(world.test);
    assert.deepEqual([cancelled.state, cancelled.partialText], ["cancelled", "first"]);
    await send(world, "t2");
    await streaming(world);
    await world.socket.session.close();
    const closed = await turnOf(world.test);
    assert.deepEqual([closed.state, closed.partialText], ["cancelled", "second"]);
    assert.notEqual(closed.uuid, cancelled.uuid);
  });

  it("is interrupted by the end of the engine", async () => {
    await using world = await worldOf([endlessStep("begun")]);
    await send(world);
    await streaming(world);
    await world.test.engine.close();
    const { state, partialText, error } = await turnOf(world.test);
    assert.deepEqual([state, partialText, error], ["interrupted", "begun", null]);
  });

  it("waits while an approval does", async () => {
    const steps = [[{ call: "create_value", args: { value: 1 } }], ["done"]];
    await using world = await worldOf(steps, { approvalConfig: null });
    const { test, socket } = world;
    const states = async () => ({
      turn: (await turnOf(test)).state,
      running: (await json(await test.call("GET", "/turns?state=running"))).length,
      waiting: (await json(await test.call("GET", "/turns?state=waiting"))).length,
    });
    await send(world);
    const { approval_id } = (await socket.next("tool.approval.request")).data;
    assert.deepEqual(await states(), { turn: "waiting", running: 0, waiting: 1 });
    await answer(socket, approval_id, "approve");
    await socket.ended("t1");
    assert.deepEqual(await states(), { turn: "completed", running: 0, waiting: 0 });
  });

  it("sums the tokens of its steps, and leaves out what no step reported", async () => {
    const call = { toolCallId: "c", toolName: "read_value", argumentsText: "{}" };
    await using world = await worldOf([
      meteredStep({ inputTokens: 5, outputTokens: undefined }, { type: "tool-call", call }),
      meteredStep(undefined, { type: "tool-call", call: { ...call, toolCallId: "d" } }),
      meteredStep({ inputTokens: 7, outputTokens: undefined }, { type: "delta", text: "so" }),
    ]);
    await chat(world);
    const { inputTokens, outputTokens } = await turnOf(world.test);
    assert.deepEqual([inputTokens, outputTokens], [12, null]);
  });

  it("is not made where nothing is stored", async () => {
    await using world = await createChatWorld();
    for (const more of [{ model_id: "none" }, { thread_uuid: "none" }, { content: 1 }]) {
      assert.equal((await chat(world, "t1", more)).type, "chat.error");
      world.socket.frames.length = 0;
    }
    assert.deepEqual(await json(await world.test.call("GET", "/turns")), []);
  });
});

describe("what is streamed of a turn", () => {
  it("is stored within a second, and found after the engine ended at once", async () => {
    await using world = await worldOf([endlessStep("up to here")]);
    const { test } = world;
    await send(world);
    await streaming(world);
    test.deps.clock.advance(SECOND_MS);
    const { uuid, state, partialText } = await turnOf(test);
    assert.deepEqual([state, partialText], ["running", null]);
    await interruptActiveTurns(test.deps.db, "2026-01-02T03:05:00.000Z");
    const found = await turnOf(test, uuid);
    assert.deepEqual(
      [found.state, found.partialText, found.endedAt],
      ["interrupted", "up to here", "2026-01-02T03:05:00.000Z"],
    );
  });

  it("is kept up to 1 MiB, and not cut inside a character", async () => {
    const text = `a${"é".repeat(MIB / 2)}`;
    await using world = await worldOf([[text, new ModelFailure("It broke.")]]);
    await chat(world);
    const { partialText } = await turnOf(world.test);
    assert.equal(partialText, text.slice(0, -1));
  });

  it("leaves no timer behind", async () => {
    await using world = await createChatWorld();
    await chat(world);
    assert.equal(world.test.deps.clock.pendingTimers, 0);
  });
});
