// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ChatEvent, ChatInput } from "../../../../engine/client/client.ts";
import { createAnsweredClient, createTestClient } from "../../../support/engine/engine.ts";
import { endlessStep, harnessOf, turnOf } from "../../../support/engine/turns.ts";
import type { ScriptedStep } from "../../../support/providers/model.ts";

const UNKNOWN = "00000000-0000-4000-8000-000000000000";

/** A client of an engine whose model takes these steps. */
async function clientOf(...steps: ScriptedStep[]) {
  const harness = await harnessOf(steps);
  return Object.assign(harness, createTestClient(harness.test));
}

/** The text that a reader of `text` events shows. */
const shown = (events: readonly ChatEvent[]) =>
  events.map((event) => (event.type === "text" ? event.delta : "")).join("");

describe("a chat turn of the client", () => {
  it("is looped over and awaited, in this order", async () => {
    await using harness = await clientOf(["Hel", "lo"]);
    const { client, threadUuid } = harness;
    const turn = client.chat({ threadUuid, content: "go" });
    const events = await Array.fromAsync(turn);
    assert.deepEqual(
      events.map(({ type }) => type),
      [
        "begin",
        "run.started",
        "node.started",
        "text",
        "text",
        "node.completed",
        "run.completed",
        "end",
      ],
    );
    assert.equal(shown(events), "Hello");
    const record = await turnOf(harness.test);
    assert.deepEqual(await turn, {
      text: "Hello",
      threadUuid,
      turnUuid: record.uuid,
      turn: record,
    });
  });

  it("is awaited without a loop, and looped over afterwards, twice", async () => {
    await using harness = await clientOf(["Hello"]);
    const turn = harness.client.chat({ threadUuid: harness.threadUuid, content: "go" });
    assert.equal((await turn).text, "Hello");
    const events = await Array.fromAsync(turn);
    assert.equal(shown(events), "Hello");
    assert.deepEqual(await Array.fromAsync(turn), events);
  });

  it("replaces a message of its thread, with the stored text or another one", async () => {
    await using harness = await clientOf(["1"], ["2"], ["3"]);
    const { client, threadUuid, workspaceUuid } = harness;
    const { turn } = await client.chat({ threadUuid, content: "one" });
    const replaces = turn.userMessageUuid;
    const questions = [];
    for (const content of [undefined, "other"]) {
      const forked = await client.chat({ threadUuid, replaces, content });
      assert.notEqual(forked.threadUuid, threadUuid);
      questions.push((await client.messages.list(forked.threadUuid))[0]?.content);
    }
    assert.deepEqual(questions, ["one", "other"]);
    const needsThread = /replaces needs threadUuid, and a turn over HTTP/;
    await assert.rejects(async () => client.chat({ workspaceUuid, replaces }), needsThread);
    const transport = "websocket";
    await assert.rejects(
      async () => client.chat({ threadUuid, replaces }, { transport }),
      needsThread,
    );
    // The types ask for one of both.
    const isRefused: { threadUuid: string } extends ChatInput ? false : true = true;
    assert.ok(isRefused);
  });

  it("begins a new thread in a workspace, and takes the fields of a turn", async () => {
    await using harness = await clientOf(["Hello"]);
    const { client, workspaceUuid, sent } = harness;
    const fileContext = { attachments: [{ name: "a.txt", mediaType: "text/plain", data: "YQ==" }] };
    const input = { workspaceUuid, content: "go", toolsEnabled: false, fileContext };
    const { threadUuid } = await client.chat(input);
    assert.notEqual(threadUuid, harness.threadUuid);
    assert.deepEqual(sent[0]?.body, {
      content: "go",
      tools_enabled: false,
      file_context: { attachments: [{ name: "a.txt", media_type: "text/plain", data: "YQ==" }] },
    });
  });

  it("runs on where its loop is left, and can still be awaited", async () => {
    await using harness = await clientOf(["Hel", "lo"]);
    const turn = harness.client.chat({ threadUuid: harness.threadUuid, content: "go" });
    for await (const { type } of turn) if (type === "text") break;
    assert.equal((await turn).text, "Hello");
  });

  it("rejects with TurnFailed, while its loop ends with the record", async () => {
    await using harness = await clientOf(["Half", new Error("broken")]);
    const turn = harness.client.chat({ threadUuid: harness.threadUuid, content: "go" });
    const events = await Array.fromAsync(turn);
    const record = await turnOf(harness.test);
    assert.deepEqual(events.at(-1), { type: "end", turn: record });
    assert.equal(record.state, "failed");
    await assert.rejects(turn, {
      name: "TurnFailed",
      message: record.error ?? "",
      partialText: "Half",
      turnUuid: record.uuid,
    });
  });

  it("rejects, and its loop throws, where there is no turn", async () => {
    await using harness = await clientOf();
    const turn = harness.client.chat({ threadUuid: UNKNOWN, content: "go" });
    await assert.rejects(turn, { name: "EngineError", status: 404 });
    await assert.rejects(Array.fromAsync(turn), { name: "EngineError", status: 404 });
  });

  it("needs exactly one of thread and workspace, and the WebSocket for UI tools", async () => {
    await using harness = await clientOf();
    const { client, sent, threadUuid, workspaceUuid } = harness;
    const message = "chat: exactly one of threadUuid and workspaceUuid is needed.";
    await assert.rejects(client.chat({ content: "go" }), { name: "TypeError", message });
    await assert.rejects(client.chat({ content: "go", threadUuid, workspaceUuid }), { message });
    const uiTools = { navigate_ui: () => "done" };
    await assert.rejects(client.chat({ content: "go", threadUuid }, { uiTools }), {
      message: 'chat: uiTools need transport: "websocket".',
    });
    assert.deepEqual(sent, []);
  });

  it("gives what it does not know as other", async () => {
    const turn = { uuid: "t", threadUuid: "h", state: "completed", partialText: null };
    const stream = [
      'id: 1\nevent: later.added\ndata: {"a":1}\n\n',
      'id: 2\nevent: model.delta\ndata: {"delta":"x"}\n\n',
      `id: 3\nevent: end\ndata: ${JSON.stringify(turn)}\n\n`,
    ].join("");
    const client = createAnsweredClient(({ method }) =>
      method === "POST" ? Response.json(turn, { status: 202 }) : new Response(stream),
    );
    const events = await Array.fromAsync(client.chat({ threadUuid: "h", content: "go" }));
    assert.deepEqual(events.slice(1, 3), [
      { type: "other", event: "later.added", data: { a: 1 } },
      { type: "text", delta: "x" },
    ]);
  });

  it("that nothing awaits rejects nothing", async () => {
    const unhandled: unknown[] = [];
    const listen = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", listen);
    await using harness = await clientOf();
    harness.client.chat({ threadUuid: UNKNOWN, content: "go" });
    await assert.rejects(harness.client.chat({ threadUuid: UNKNOWN, content: "go" }));
    await new Promise(setImmediate);
    process.off("unhandledRejection", listen);
    assert.deepEqual(unhandled, []);
  });
});

describe("the signal of a chat turn", () => {
  it("cancels the turn at the engine", async () => {
    await using harness = await clientOf(endlessStep("Half"));
    const stop = new AbortController();
    const reason = new Error("enough");
    const options = { signal: stop.signal };
    const turn = harness.client.chat({ threadUuid: harness.threadUuid, content: "go" }, options);
    const events: ChatEvent[] = [];
    for await (const event of turn) {
      events.push(event);
      if (event.type === "text") stop.abort(reason);
    }
    const record = await turnOf(harness.test);
    assert.equal(record.state, "cancelled");
    assert.deepEqual(events.at(-1), { type: "end", turn: record });
    await assert.rejects(turn, {
      name: "TurnCancelled",
      partialText: "Half",
      turnUuid: record.uuid,
      cause: reason,
    });
  });

  it("cancels a turn that the engine begins at this moment", async () => {
    await using harness = await clientOf(endlessStep(""));
    const stop = new AbortController();
    const options = { signal: stop.signal };
    const turn = harness.client.chat({ threadUuid: harness.threadUuid, content: "go" }, options);
    stop.abort();
    await assert.rejects(turn, { name: "TurnCancelled" });
    assert.equal((await turnOf(harness.test)).state, "cancelled");
  });

  it("that is aborted already sends nothing", async () => {
    await using harness = await clientOf();
    const options = { signal: AbortSignal.abort() };
    const turn = harness.client.chat({ threadUuid: harness.threadUuid, content: "go" }, options);
    await assert.rejects(turn, { name: "TurnCancelled", turnUuid: undefined, partialText: "" });
    assert.deepEqual(harness.sent, []);
  });

  it("does nothing to a turn that has ended", async () => {
    await using harness = await clientOf(["Hello"]);
    const stop = new AbortController();
    const options = { signal: stop.signal };
    await harness.client.chat({ threadUuid: harness.threadUuid, content: "go" }, options);
    stop.abort();
    assert.ok(harness.sent.every(({ path }) => !path.endsWith("/cancel")));
  });
});

it("the end of the client ends what follows a turn, and not the turn", async () => {
  await using harness = await clientOf(endlessStep("Half"));
  const turn = harness.client.chat({ threadUuid: harness.threadUuid, content: "go" });
  for await (const { type } of turn) if (type === "text") break;
  await harness.client[Symbol.asyncDispose]();
  await assert.rejects(turn, { name: "EngineError", message: "The client is closed." });
  const { state, uuid } = await turnOf(harness.test);
  assert.equal(state, "running");
  await harness.test.call("POST", `/turns/${uuid}/cancel`);
});

it("a turn that another client began is followed from its beginning", async () => {
  await using harness = await clientOf(["Hello"]);
  const { turnUuid } = await harness.client.chat({ threadUuid: harness.threadUuid, content: "go" });
  const other = createTestClient(harness.test).client;
  const followed = other.follow(turnUuid);
  assert.equal(shown(await Array.fromAsync(followed)), "Hello");
  assert.equal((await followed).text, "Hello");
});
