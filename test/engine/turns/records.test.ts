import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ModelFailure } from "../../../engine/models/language-model.ts";
import { interruptActiveTurns } from "../../../engine/turns/record-store.ts";
import { MIB } from "../../../shared/units.ts";
import { type ChatHarness, createChatHarness, UUID } from "../../support/engine/chat.ts";
import {
  answer,
  chat,
  endlessStep,
  harnessOf,
  meteredStep,
  send,
  turnOf,
} from "../../support/engine/turns.ts";
import { json } from "../../support/http.ts";

const SECOND_MS = 1_000;

async function streaming({ socket }: ChatHarness): Promise<void> {
  while ((await socket.next("agui.event")).data.type !== "model.delta");
}

describe("the record of a turn over the WebSocket", () => {
  it("names its messages, its model and its times once it is complete", async () => {
    await using harness = await createChatHarness();
    const { test, threadUuid, workspaceUuid } = harness;
    assert.equal((await chat(harness)).type, "chat.done");
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
      cachedInputTokens: null,
      omittedToolGroups: [],
      grantUuids: [],
      startedAt: "2026-01-02T03:04:05.000Z",
      endedAt: "2026-01-02T03:04:05.000Z",
    });
    assert.deepEqual(await turnOf(test, uuid), { uuid, ...turn });
  });

  it("is completed without an assistant message where the answer is empty", async () => {
    await using harness = await harnessOf([[]]);
    await chat(harness);
    const { state, assistantMessageUuid, endedAt } = await turnOf(harness.test);
    assert.deepEqual([state, assistantMessageUuid], ["completed", null]);
    assert.ok(endedAt);
  });

  it("keeps the error and what was streamed of one that failed", async () => {
    await using harness = await harnessOf([["half an ", "answer", new ModelFailure("It broke.")]]);
    assert.equal((await chat(harness)).type, "chat.error");
    const { state, error, partialText, assistantMessageUuid } = await turnOf(harness.test);
    assert.deepEqual(
      [state, error, partialText, assistantMessageUuid],
      ["failed", "It broke.", "half an answer", null],
    );
    assert.deepEqual(await harness.stored(), [["user", "go"]]);
  });

  it("is cancelled by its client, and by a socket that closes", async () => {
    const steps = [endlessStep("first"), endlessStep("second")];
    await using harness = await harnessOf(steps);
    await send(harness, "t1");
    await streaming(harness);
    await harness.socket.say({ type: "chat.cancel", id: "t1" });
    await harness.socket.ended("t1");
    const cancelled = await turnOf(harness.test);
    assert.deepEqual([cancelled.state, cancelled.partialText], ["cancelled", "first"]);
    await send(harness, "t2");
    await streaming(harness);
    await harness.socket.session.close();
    const closed = await turnOf(harness.test);
    assert.deepEqual([closed.state, closed.partialText], ["cancelled", "second"]);
    assert.notEqual(closed.uuid, cancelled.uuid);
  });

  it("is interrupted by the end of the engine", async () => {
    await using harness = await harnessOf([endlessStep("begun")]);
    await send(harness);
    await streaming(harness);
    await harness.test.engine.close();
    const { state, partialText, error } = await turnOf(harness.test);
    assert.deepEqual([state, partialText, error], ["interrupted", "begun", null]);
  });

  it("waits while an approval does", async () => {
    const steps = [[{ call: "create_value", args: { value: 1 } }], ["done"]];
    await using harness = await harnessOf(steps, { approvalConfig: null });
    const { test, socket } = harness;
    const states = async () => ({
      turn: (await turnOf(test)).state,
      running: (await json(await test.call("GET", "/turns?state=running"))).length,
      waiting: (await json(await test.call("GET", "/turns?state=waiting"))).length,
    });
    await send(harness);
    const { approval_id } = (await socket.next("tool.approval.request")).data;
    assert.deepEqual(await states(), { turn: "waiting", running: 0, waiting: 1 });
    await answer(socket, approval_id, "approve");
    await socket.ended("t1");
    assert.deepEqual(await states(), { turn: "completed", running: 0, waiting: 0 });
  });

  it("sums the tokens of its steps, and leaves out what no step reported", async () => {
    const call = { toolCallId: "c", toolName: "read_value", argumentsText: "{}" };
    await using harness = await harnessOf([
      meteredStep({ inputTokens: 5, outputTokens: undefined }, { type: "tool-call", call }),
      meteredStep(undefined, { type: "tool-call", call: { ...call, toolCallId: "d" } }),
      meteredStep({ inputTokens: 7, outputTokens: undefined }, { type: "delta", text: "so" }),
    ]);
    await chat(harness);
    const { inputTokens, outputTokens } = await turnOf(harness.test);
    assert.deepEqual([inputTokens, outputTokens], [12, null]);
  });

  it("is not made where nothing is stored", async () => {
    await using harness = await createChatHarness();
    for (const more of [{ model_id: "none" }, { thread_uuid: "none" }, { content: 1 }]) {
      assert.equal((await chat(harness, "t1", more)).type, "chat.error");
      harness.socket.frames.length = 0;
    }
    assert.deepEqual(await json(await harness.test.call("GET", "/turns")), []);
  });
});

describe("what is streamed of a turn", () => {
  it("is stored within a second, and found after the engine ended at once", async () => {
    await using harness = await harnessOf([endlessStep("up to here")]);
    const { test } = harness;
    await send(harness);
    await streaming(harness);
    test.deps.clock.advance(SECOND_MS);
    const { uuid, state, partialText } = await turnOf(test);
    assert.deepEqual([state, partialText], ["running", null]);
    await interruptActiveTurns(test.deps, "2026-01-02T03:05:00.000Z");
    const found = await turnOf(test, uuid);
    assert.deepEqual(
      [found.state, found.partialText, found.endedAt],
      ["interrupted", "up to here", "2026-01-02T03:05:00.000Z"],
    );
  });

  it("is kept up to 1 MiB, and not cut inside a character", async () => {
    const text = `a${"é".repeat(MIB / 2)}`;
    await using harness = await harnessOf([[text, new ModelFailure("It broke.")]]);
    await chat(harness);
    const { partialText } = await turnOf(harness.test);
    assert.equal(partialText, text.slice(0, -1));
  });

  it("leaves no timer behind", async () => {
    await using harness = await createChatHarness();
    await chat(harness);
    assert.equal(harness.test.deps.clock.pendingTimers, 0);
  });
});
