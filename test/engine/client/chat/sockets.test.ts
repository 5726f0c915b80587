// Slow: it opens real sockets.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type ApprovalRequest,
  type ChatEvent,
  type ChatOptions,
  createClient,
  TurnFailed,
} from "../../../../engine/client/client.ts";
import { ModelFailure, type ModelPart } from "../../../../engine/models/language-model.ts";
import { TEST_TOKEN } from "../../../support/engine/engine.ts";
import { startLiveEngine } from "../../../support/engine/live.ts";
import { endlessStep, TOOLS, turnOf } from "../../../support/engine/turns.ts";
import {
  ScriptedModel,
  type ScriptedStep,
  scriptedChat,
} from "../../../support/providers/model.ts";
import { until } from "../../../support/time.ts";

/** A client of an engine that listens, whose model takes these steps. */
async function liveClient(...steps: ScriptedStep[]) {
  const model = new ScriptedModel(...steps);
  const live = await startLiveEngine({ chat: scriptedChat(model, { tools: TOOLS }) });
  const client = createClient({ baseUrl: live.url, token: TEST_TOKEN });
  const { uuid: workspaceUuid } = await client.workspaces.create({ name: "W" });
  const { uuid: threadUuid } = await client.threads.create({ workspaceUuid });
  const chat = (options: ChatOptions = {}) =>
    client.chat({ threadUuid, content: "go" }, { transport: "websocket", ...options });
  /** Resolves once the model was asked so often. */
  const modelAsked = (count: number) =>
    until("The model", () => model.requests.length >= count || undefined);
  return Object.assign(live, { client, model, chat, threadUuid, modelAsked });
}

const UI_CALL = [{ call: "navigate_ui", args: { destination: "files" } }];

describe("a chat turn over the WebSocket", () => {
  it("has the same events and result as one over HTTP, but for its begin", async () => {
    await using live = await liveClient(["Hel", "lo"]);
    const turn = live.chat();
    const events = await Array.fromAsync(turn);
    const record = await turnOf(live.test);
    const { threadUuid } = live;
    assert.equal(record.source, "websocket");
    assert.deepEqual(
      events.map(({ type }) => type),
      ["run.started", "node.started", "text", "text", "node.completed", "run.completed", "end"],
    );
    assert.deepEqual(await turn, {
      text: "Hello",
      threadUuid,
      turnUuid: record.uuid,
      turn: record,
    });
  });

  it("has its own record, whatever other sockets run in its thread", async () => {
    const first = Promise.withResolvers<void>();
    const untilFirst = async function* (): AsyncGenerator<ModelPart> {
      await first.promise;
      yield { type: "delta", text: "first" };
      yield { type: "end", usage: undefined };
    };
    await using live = await liveClient(untilFirst, ["second"], [new ModelFailure("It broke.")]);
    const slow = live.chat();
    await live.modelAsked(1);
    const fast = await live.chat();
    const failed = await live.chat().catch((error: TurnFailed) => error);
    assert.ok(failed instanceof TurnFailed);
    first.resolve();
    const { text, turnUuid, turn } = await slow;
    assert.deepEqual([text, fast.text], ["first", "second"]);
    const records = [turnUuid, fast.turnUuid, failed.turnUuid];
    assert.equal(new Set(records).size, 3);
    const messages = await live.client.messages.list(live.threadUuid);
    const contentOf = (uuid: string | null) =>
      messages.find((message) => message.uuid === uuid)?.content;
    assert.equal(contentOf(turn.assistantMessageUuid), "first");
    assert.equal(contentOf(fast.turn.assistantMessageUuid), "second");
  });

  it("runs UI tools once they are approved, and gives their results to the model", async () => {
    await using live = await liveClient(UI_CALL, ["there"]);
    const called: unknown[] = [];
    const asked: ApprovalRequest[] = [];
    const { text } = await live.chat({
      onApproval: (request) => asked.push(request) > 0,
      uiTools: {
        navigate_ui: async (args) => {
          called.push(args);
          return { at: "files" };
        },
      },
    });
    assert.equal(text, "there");
    assert.deepEqual(called, [{ destination: "files" }]);
    const { uuid, ...rest } = asked[0]!;
    assert.ok(uuid);
    assert.deepEqual(rest, {
      threadUuid: live.threadUuid,
      toolName: "navigate_ui",
      operation: "update",
      arguments: { destination: "files" },
    });
    assert.deepEqual(await outputsOf(live), [{ status: "completed", result: { at: "files" } }]);
  });

  it("denies what no handler approves", async () => {
    await using live = await liveClient(UI_CALL, ["so be it"]);
    const navigate_ui = () => assert.fail("It was denied.");
    assert.equal((await live.chat({ uiTools: { navigate_ui } })).text, "so be it");
    assert.deepEqual(
      (await outputsOf(live)).map(({ status }) => status),
      ["denied"],
    );
  });

  it("gives the failure of a UI tool to the model", async () => {
    await using live = await liveClient(UI_CALL, ["sorry"]);
    const navigate_ui = () => {
      throw new Error("no such page");
    };
    await live.chat({ onApproval: () => true, uiTools: { navigate_ui } });
    const [output] = await outputsOf(live);
    assert.equal(output?.status, "failed");
    assert.match(String(output?.error), /no such page/);
  });

  it("does not begin with a UI tool that the engine does not know", async () => {
    await using live = await liveClient(["Hello"]);
    const turn = live.chat({ uiTools: { make_coffee: () => "done" } });
    await assert.rejects(turn, { name: "EngineError", message: /only the known UI tools/ });
    assert.equal(await turnOf(live.test), undefined);
  });

  it("is cancelled by its signal", async () => {
    await using live = await liveClient(endlessStep("Half"));
    const stop = new AbortController();
    const turn = live.chat({ signal: stop.signal });
    for await (const { type } of turn) if (type === "text") stop.abort();
    const record = await turnOf(live.test);
    assert.equal(record.state, "cancelled");
    const turnUuid = record.uuid;
    await assert.rejects(turn, { name: "TurnCancelled", partialText: "Half", turnUuid });
  });

  it("is not begun where its signal is aborted while the socket opens", async () => {
    await using live = await liveClient(["Hello"]);
    const stop = new AbortController();
    const turn = live.chat({ signal: stop.signal });
    stop.abort();
    await assert.rejects(turn, { name: "TurnCancelled" });
    assert.equal(await turnOf(live.test), undefined);
  });

  it("fails with its text where the engine refuses it or fails", async () => {
    await using live = await liveClient(["Half", new Error("broken")]);
    const failed = live.chat();
    const record = (await Array.fromAsync(failed)).at(-1) as ChatEvent & { type: "end" };
    const { uuid, error } = record.turn;
    await assert.rejects(failed, {
      name: "TurnFailed",
      message: error ?? "",
      partialText: "Half",
      turnUuid: uuid,
    });
    await live.client.threads.delete(live.threadUuid);
    await assert.rejects(live.chat(), { name: "TurnFailed", message: "Thread not found." });
  });

  it("that is refused has no turn, though its thread has an older one", async () => {
    await using live = await startLiveEngine();
    const client = createClient({ baseUrl: live.url, token: TEST_TOKEN });
    const { uuid: workspaceUuid } = await client.workspaces.create({ name: "W" });
    const options = { transport: "websocket" } as const;
    const { threadUuid } = await client.chat({ workspaceUuid, content: "go" }, options);
    const turn = client.chat({ threadUuid, content: "go", modelId: "none of these" }, options);
    await assert.rejects(turn, { name: "TurnFailed", turnUuid: undefined });
    await assert.rejects(Array.fromAsync(turn), { name: "TurnFailed" });
  });

  it("fails with its text where the connection is lost", async () => {
    await using live = await liveClient(endlessStep("Half"));
    const lost = live.chat();
    for await (const { type } of lost) if (type === "text") break;
    await live[Symbol.asyncDispose]();
    await assert.rejects(lost, { name: "TurnFailed", partialText: "Half" });
  });
});

/** What the tools of the thread gave. */
async function outputsOf(
  live: Awaited<ReturnType<typeof liveClient>>,
): Promise<{ status: string; result?: unknown; error?: string }[]> {
  const messages = await live.client.messages.list(live.threadUuid);
  return messages
    .filter(({ role }) => role === "tool")
    .map(({ content }) => {
      const { status, result, error } = JSON.parse(content);
      return { status, ...(error ? { error } : { result }) };
    });
}
