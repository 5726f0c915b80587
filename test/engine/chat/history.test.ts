// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadHistory } from "../../../engine/chat/history.ts";
import { ModelFailure, type ModelPart } from "../../../engine/models/language-model.ts";
import { findThread } from "../../../engine/threads/store.ts";
import { type ChatHarness, createChatHarness } from "../../support/engine/chat.ts";
import { endlessStep } from "../../support/engine/turns.ts";
import { ScriptedModel, scriptedChat } from "../../support/providers/model.ts";

async function harnessOf(
  contextWindow: number | undefined,
  ...steps: ConstructorParameters<typeof ScriptedModel>
) {
  const model = new ScriptedModel(...steps);
  const harness = await createChatHarness({
    chat: scriptedChat(model, {
      ...(contextWindow && { contextWindow }),
      tools: [],
      // What fits is the subject, and not what becomes of the rest.
      resolved: { canSummarize: false },
    }),
  });
  return Object.assign(harness, { model });
}

async function store({ test, threadUuid }: ChatHarness, role: string, content: string) {
  await test.call("POST", "/messages", { threadUuid, role, content });
}

const said = (model: ScriptedModel, at = 0) =>
  model.requests[at]!.messages.map((message) => ("content" in message ? message.content : ""));

describe("history", () => {
  it("is user, assistant and system in the order of storage, never tool records", async () => {
    await using harness = await harnessOf(undefined, ["a"]);
    for (const role of ["user", "tool", "assistant", "system", "user"]) {
      await store(harness, role, `${role} message`);
    }
    await harness.socket.chat("t1", { content: "now", thread_uuid: harness.threadUuid });
    assert.deepEqual(harness.model.requests[0]!.messages, [
      { role: "user", content: "user message" },
      { role: "assistant", content: "assistant message" },
      { role: "system", content: "system message" },
      { role: "user", content: "user message" },
      { role: "user", content: "now" },
    ]);
  });

  it("holds notifications, earlier turns, and user messages that got no answer", async () => {
    await using harness = await harnessOf(
      undefined,
      ["one"],
      [new ModelFailure("broken")],
      ["three"],
    );
    const { socket, threadUuid: thread_uuid } = harness;
    await socket.chat("t1", { content: "1", thread_uuid });
    await socket.say({ type: "chat.notification", data: { content: "note", thread_uuid } });
    await socket.chat("t2", { content: "2", thread_uuid });
    await socket.chat("t3", { content: "3", thread_uuid });
    assert.deepEqual(said(harness.model, 2), ["1", "one", "note", "2", "3"]);
  });

  it("holds what was streamed of answers that were stopped, marked as such", async () => {
    await using harness = await harnessOf(
      undefined,
      ["half", new ModelFailure("broken")],
      endlessStep("a bit"),
      ["three"],
    );
    const { socket, threadUuid: thread_uuid } = harness;
    await socket.chat("t1", { content: "1", thread_uuid });
    await socket.say({ type: "chat.send", id: "t2", data: { content: "2", thread_uuid } });
    while ((await socket.next("agui.event")).data.delta !== "a bit");
    await socket.say({ type: "chat.cancel", id: "t2" });
    await socket.ended("t2");
    await socket.chat("t3", { content: "3", thread_uuid });
    const mark = "\n\n[This answer was stopped before its end.]";
    assert.deepEqual(said(harness.model, 2), ["1", `half${mark}`, "2", `a bit${mark}`, "3"]);
    assert.deepEqual(await harness.stored(), [
      ["user", "1"],
      ["user", "2"],
      ["user", "3"],
      ["assistant", "three"],
    ]);
  });

  it("is that of its own thread alone", async () => {
    await using harness = await harnessOf(undefined, [], []);
    const { socket, threadUuid, workspaceUuid } = harness;
    await socket.chat("t1", { content: "1", thread_uuid: threadUuid });
    await socket.chat("t2", { content: "2", workspace_uuid: workspaceUuid });
    assert.deepEqual(said(harness.model, 1), ["2"]);
  });

  it("of a turn ends before its own user message, even if other turns store messages meanwhile", async () => {
    const harness = await harnessOf(undefined, [], []);
    await using _harness = harness;
    const { socket, threadUuid: thread_uuid } = harness;
    const other = harness.connect();
    await Promise.all([
      socket.chat("t1", { content: "a", thread_uuid }),
      other.chat("t2", { content: "b", thread_uuid }),
    ]);
    const ends = harness.model.requests.map((_, at) => said(harness.model, at).at(-1));
    assert.deepEqual(ends.toSorted(), ["a", "b"]);
    assert.ok(harness.model.requests.some((_, at) => said(harness.model, at).length === 1));
  });

  it("is read no further than what fits", async () => {
    await using harness = await harnessOf(undefined);
    for (let at = 0; at < 120; at += 1) await store(harness, "user", `message ${at}`);
    const { db } = harness.test.deps;
    const thread = await findThread(db, harness.threadUuid);
    const deps = { db, attachments: { read: async () => undefined } };
    const range = {
      threadId: thread?.id ?? 0,
      before: "9999",
      after: "",
      acceptsAttachments: false,
    };
    const some = await loadHistory(deps, { ...range, tokensMax: 70 });
    assert.equal(some.length, 11);
    assert.deepEqual(some.at(-1)?.message, { role: "user", content: "message 119" });
    assert.equal((await loadHistory(deps, { ...range, tokensMax: 10_000 })).length, 120);
  });

  it("of 5 MB still answers, with the newest end that fits", async () => {
    await using harness = await harnessOf(8192, ["fine"]);
    for (let at = 0; at < 50; at += 1) await store(harness, "user", `${at} ${"x".repeat(100_000)}`);
    for (let at = 0; at < 150; at += 1) await store(harness, "user", `small ${at}`);
    const done = await harness.socket.chat("t1", {
      content: "now",
      thread_uuid: harness.threadUuid,
    });
    assert.equal(done.type, "chat.done");
    const messages = said(harness.model);
    assert.deepEqual(messages.slice(0, 2), ["small 0", "small 1"]);
    assert.equal(messages.length, 151);
  });
});

describe("a provider that rejects the input as too long", () => {
  const overflow = () => new ModelFailure("maximum context length", { contextOverflow: true });

  it("is retried once with less, in the same node", async () => {
    await using harness = await harnessOf(8192, [overflow()], ["fine"]);
    for (let at = 0; at < 40; at += 1) await store(harness, "user", `${at} ${"x".repeat(590)}`);
    const { socket, model } = harness;
    const done = await socket.chat("t1", { content: "now", thread_uuid: harness.threadUuid });
    assert.equal(done.type, "chat.done");
    assert.ok(said(model, 1).length < said(model, 0).length);
    assert.equal(said(model, 1).at(-1), "now");
    const nodes = socket.frames.filter(({ data }) => data.type === "node.started");
    assert.equal(nodes.length, 1);
  });

  it("twice ends the turn with a plain reason, and the thread stays usable", async () => {
    await using harness = await harnessOf(8192, [overflow()], [overflow()], ["fine"]);
    const { socket, threadUuid: thread_uuid } = harness;
    const error = await socket.chat("t1", { content: "x", thread_uuid });
    assert.equal(error.type, "chat.error");
    assert.match(error.data.error, /longer than this model can take/);
    assert.equal((await socket.chat("t2", { content: "y", thread_uuid })).type, "chat.done");
    assert.deepEqual(said(harness.model, 2), ["x", "y"]);
  });

  it("after it began to answer is a failure like any other", async () => {
    await using harness = await harnessOf(8192, ["begun", overflow()], ["never"]);
    const { socket, model } = harness;
    const error = await socket.chat("t1", { content: "x", thread_uuid: harness.threadUuid });
    assert.equal(error.data.error, "maximum context length");
    assert.equal(model.requests.length, 1);
  });
});

describe("a model that ends without saying so", () => {
  it("ends its turn", async () => {
    await using harness = await harnessOf(undefined, async function* (): AsyncIterable<ModelPart> {
      yield { type: "delta", text: "x" };
    });
    const done = await harness.socket.chat("t1", { content: "x", thread_uuid: harness.threadUuid });
    assert.equal(done.type, "chat.done");
    assert.deepEqual(await harness.stored(), [
      ["user", "x"],
      ["assistant", "x"],
    ]);
  });
});
