import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";
import type { InStatement } from "@libsql/client";
import { ModelFailure } from "../../../engine/models/language-model.ts";
import { HTTP_TURNS_MAX } from "../../../engine/turns/limits.ts";
import { type ChatHarness, createChatHarness, hello } from "../../support/engine/chat.ts";
import { deletedRowsGone } from "../../support/engine/engine.ts";
import {
  endlessStep,
  endOf,
  eventsOf,
  harnessOf,
  openEvents,
  startTurn,
  turnOf,
} from "../../support/engine/turns.ts";
import { json } from "../../support/http.ts";
import type { ScriptedStep } from "../../support/providers/model.ts";

describe("a turn over HTTP", () => {
  it("is accepted once its user message is stored, and completes by itself", async () => {
    await using harness = await createChatHarness();
    const { test, threadUuid, workspaceUuid } = harness;
    const path = `/threads/${threadUuid}/turns`;
    const response = await test.call("POST", path, { content: "Hello there", model_id: "echo" });
    const turn = await json(response, 202);
    assert.equal(response.headers.get("location"), `/api/v1/turns/${turn.uuid}`);
    assert.deepEqual((await harness.stored())[0], ["user", "Hello there"]);
    assert.deepEqual(
      [turn.threadUuid, turn.workspaceUuid, turn.source, turn.state, turn.model, turn.endedAt],
      [threadUuid, workspaceUuid, "http", "running", "echo", null],
    );
    const ended = await endOf(harness, turn);
    assert.deepEqual(ended, await turnOf(test, turn.uuid));
    const messages = await json(await test.call("GET", `/threads/${threadUuid}/messages`));
    assert.deepEqual(
      [ended.state, ended.userMessageUuid, ended.assistantMessageUuid],
      ["completed", messages[0].uuid, messages[1].uuid],
    );
    assert.equal(messages[1].content, "Hello there");
  });

  it("in a workspace makes a thread with a title", async () => {
    await using harness = await createChatHarness();
    const { test, workspaceUuid } = harness;
    const path = `/workspaces/${workspaceUuid}/turns`;
    const turn = await json(await test.call("POST", path, { content: "A question" }), 202);
    await endOf(harness, turn);
    const thread = await json(await test.call("GET", `/threads/${turn.threadUuid}`));
    assert.deepEqual([thread.title, thread.workspaceUuid], ["A question", workspaceUuid]);
  });

  it("ignores uuids in its body, and takes a null as omitted", async () => {
    await using harness = await createChatHarness();
    const body = {
      thread_uuid: "none",
      workspace_uuid: "none",
      model_id: null,
      file_context: null,
    };
    const turn = await startTurn(harness, body);
    assert.equal(turn.threadUuid, harness.threadUuid);
    assert.equal((await endOf(harness, turn)).state, "completed");
  });

  it("publishes and broadcasts its messages as every turn does, and no graph.execution", async () => {
    await using harness = await createChatHarness();
    const { test, socket, workspaceUuid } = harness;
    await hello(socket);
    const path = `/workspaces/${workspaceUuid}/turns`;
    await endOf(harness, await json(await test.call("POST", path, { content: "x" }), 202));
    const created = ["thread.created", "message.created", "message.created"];
    assert.deepEqual(
      test.publishedEvents().map(({ type }) => type),
      created,
    );
    assert.deepEqual(
      socket.frames.slice(1).map(({ type }) => type),
      created,
    );
  });

  it("is offered no UI tools, and built-in tools unless they are switched off", async () => {
    await using harness = await harnessOf([["one"], ["two"]]);
    const { socket, model } = harness;
    await socket.say({ type: "tool.register", data: { tools: [{ id: "navigate_ui" }] } });
    await endOf(harness, await startTurn(harness));
    await endOf(harness, await startTurn(harness, { tools_enabled: false }));
    const names = model.requests.map(({ tools }) => tools.map(({ name }) => name));
    assert.ok(names[0]!.includes("read_value") && !names[0]!.includes("navigate_ui"));
    assert.deepEqual(names[1], []);
  });

  it("that fails keeps its error and its text", async () => {
    await using harness = await harnessOf([["so far", new ModelFailure("It broke.")]]);
    const ended = await endOf(harness, await startTurn(harness));
    assert.deepEqual(
      [ended.state, ended.error, ended.partialText],
      ["failed", "It broke.", "so far"],
    );
  });
});

describe("a turn over HTTP that cannot start", () => {
  const BAD = [
    [400, { content: 1 }, /^content: /],
    [400, {}, /^content: /],
    [400, "no json", /not valid JSON/],
    [400, { content: "x", file_context: { attachments: [{ name: "../x", data: "" }] } }, /name/],
    [400, { content: "x", model_id: "none" }, undefined],
  ] as const;
  for (const [status, body, details] of BAD) {
    it(`is ${status} and stores nothing: ${JSON.stringify(body)}`, async () => {
      await using harness = await createChatHarness();
      const { test, threadUuid, workspaceUuid } = harness;
      for (const path of [`/threads/${threadUuid}/turns`, `/workspaces/${workspaceUuid}/turns`]) {
        const error = await json(await test.call("POST", path, body), status);
        if (details) assert.match(error.details, details);
        else assert.match(error.error, /model does not exist/);
      }
      assert.deepEqual(await harness.stored(), []);
      assert.deepEqual(await json(await test.call("GET", "/turns")), []);
      const threads = await json(await test.call("GET", `/workspaces/${workspaceUuid}/threads`));
      assert.equal(threads.length, 1);
      assert.deepEqual(test.publishedEvents(), []);
    });
  }

  it("is 404 where its thread or workspace is unknown", async () => {
    await using harness = await createChatHarness();
    for (const [path, error] of [
      ["/threads/none/turns", "Thread not found."],
      ["/workspaces/none/turns", "Workspace not found."],
    ] as const) {
      const response = await harness.test.call("POST", path, { content: "x" });
      assert.deepEqual(await json(response, 404), { error });
    }
  });

  it("is 409 while another one of its thread runs, also of two that come at once", async () => {
    await using harness = await harnessOf([endlessStep("first"), ["second"]]);
    const { test, threadUuid } = harness;
    const path = `/threads/${threadUuid}/turns`;
    const both = await Promise.all([1, 2].map(() => test.call("POST", path, { content: "go" })));
    assert.deepEqual(both.map(({ status }) => status).sort(), [202, 409]);
    const started = await json(both.find(({ status }) => status === 202)!, 202);
    const refused = await json(both.find(({ status }) => status === 409)!, 409);
    assert.equal(refused.details, started.uuid);
    assert.deepEqual(await harness.stored(), [["user", "go"]]);
    await json(await test.call("POST", `/turns/${started.uuid}/cancel`), 202);
    assert.equal((await endOf(harness, await startTurn(harness))).state, "completed");
  });

  const ENDS: [string, ScriptedStep, (harness: ChatHarness, uuid: string) => unknown][] = [
    ["completed", ["first"], () => undefined],
    ["failed", ["first", new ModelFailure("broken")], () => undefined],
    [
      "cancelled",
      endlessStep("first"),
      ({ test }, uuid) => void test.call("POST", `/turns/${uuid}/cancel`),
    ],
  ];
  for (const [state, step, end] of ENDS) {
    it(`waits for the end of one that is shown as ended already: ${state}`, async () => {
      await using harness = await harnessOf([step, ["second"]]);
      const { test } = harness;
      const { $client } = test.deps.db;
      const batch = $client.batch.bind($client);
      const heard = Promise.withResolvers<void>();
      const late = mock.method($client, "batch", async (statements: InStatement[]) => {
        const results = await batch(statements);
        if (JSON.stringify(statements).includes("UPDATE turns")) await heard.promise;
        return results;
      });
      const { uuid } = await startTurn(harness);
      await end(harness, uuid);
      while ((await turnOf(test, uuid)).state !== state) await new Promise(setImmediate);
      const next = startTurn(harness);
      late.mock.restore();
      // Two rounds of the event loop: a refusal would be there.
      await new Promise(setImmediate);
      await new Promise(setImmediate);
      heard.resolve();
      assert.equal((await endOf(harness, await next)).state, "completed");
    });
  }

  it("is not refused for a turn of a socket in its thread", async () => {
    await using harness = await harnessOf([endlessStep("first"), ["second"]]);
    const { socket, threadUuid } = harness;
    await socket.say({
      type: "chat.send",
      id: "t1",
      data: { content: "go", thread_uuid: threadUuid },
    });
    while ((await socket.next("agui.event")).data.type !== "model.delta");
    assert.equal((await endOf(harness, await startTurn(harness))).state, "completed");
  });

  it("is 429 where too many are active", async () => {
    const steps = Array.from({ length: HTTP_TURNS_MAX }, () => endlessStep("x"));
    await using harness = await harnessOf([...steps, ["more"]]);
    const path = `/workspaces/${harness.workspaceUuid}/turns`;
    const start = () => harness.test.call("POST", path, { content: "go" });
    const turns = await Promise.all(steps.map(async () => json(await start(), 202)));
    assert.match((await json(await start(), 429)).error, /32 turns are active/);
    await json(await harness.test.call("POST", `/turns/${turns[0].uuid}/cancel`), 202);
    assert.equal((await endOf(harness, await json(await start(), 202))).state, "completed");
  });

  it("is 503 once the engine stops", async () => {
    await using harness = await createChatHarness();
    await harness.test.engine.close();
    const path = `/threads/${harness.threadUuid}/turns`;
    await json(await harness.test.call("POST", path, { content: "go" }), 503);
    assert.deepEqual(await harness.stored(), []);
  });
});

describe("the end of a turn over HTTP", () => {
  it("comes with a cancel: 202 with the record, then 409; an unknown turn is 404", async () => {
    await using harness = await harnessOf([endlessStep("so far")]);
    const { test } = harness;
    const turn = await startTurn(harness);
    await using reader = await openEvents(harness, turn);
    while ((await reader.take(1))[0]!.event !== "model.delta");
    const cancelled = await json(await test.call("POST", `/turns/${turn.uuid}/cancel`), 202);
    assert.deepEqual([cancelled.state, cancelled.partialText], ["cancelled", "so far"]);
    const rest = await reader.rest();
    assert.deepEqual(
      rest.map(({ event }) => event),
      ["run.aborted", "end"],
    );
    assert.deepEqual(rest.at(-1)!.data, cancelled);
    await json(await test.call("POST", `/turns/${turn.uuid}/cancel`), 409);
    await json(await test.call("POST", "/turns/none/cancel"), 404);
    assert.deepEqual(await harness.stored(), [["user", "go"]]);
  });

  it("does not come with its readers", async () => {
    await using harness = await createChatHarness();
    const turn = await startTurn(harness);
    await (await openEvents(harness, turn))[Symbol.asyncDispose]();
    assert.equal((await endOf(harness, turn)).state, "completed");
  });

  it("comes with the engine's: interrupted, with the text, and the readers see it", async () => {
    await using harness = await harnessOf([endlessStep("so far")]);
    const turn = await startTurn(harness);
    await using reader = await openEvents(harness, turn);
    while ((await reader.take(1))[0]!.event !== "model.delta");
    await harness.test.engine.close();
    const { event, data } = (await reader.rest()).at(-1)!;
    assert.deepEqual([event, data.state, data.partialText], ["end", "interrupted", "so far"]);
    assert.equal((await turnOf(harness.test, turn.uuid)).state, "interrupted");
  });

  for (const what of ["thread", "workspace"] as const) {
    it(`comes with the delete of its ${what}: cancelled, and 404 at once`, async () => {
      await using harness = await harnessOf([endlessStep("so far")]);
      const { test, threadUuid, workspaceUuid } = harness;
      const turn = await startTurn(harness);
      await using reader = await openEvents(harness, turn);
      while ((await reader.take(1))[0]!.event !== "model.delta");
      const path = what === "thread" ? `/threads/${threadUuid}` : `/workspaces/${workspaceUuid}`;
      assert.equal((await test.call("DELETE", path)).status, 204);
      for (const [method, at] of [
        ["GET", ""],
        ["GET", "/events"],
        ["POST", "/cancel"],
      ] as const) {
        await json(await test.call(method, `/turns/${turn.uuid}${at}`), 404);
      }
      assert.equal((await reader.rest()).at(-1)!.data.state, "cancelled");
      await deletedRowsGone(test.deps.db);
      assert.deepEqual(await json(await test.call("GET", "/turns")), []);
    });
  }

  it("of a turn over the WebSocket can come with a cancel, too", async () => {
    await using harness = await harnessOf([endlessStep("so far")]);
    const { test, socket, threadUuid } = harness;
    await socket.say({
      type: "chat.send",
      id: "t1",
      data: { content: "go", thread_uuid: threadUuid },
    });
    while ((await socket.next("agui.event")).data.type !== "model.delta");
    const { uuid } = await turnOf(test);
    await using reader = await openEvents(harness, { uuid });
    const cancelled = await json(await test.call("POST", `/turns/${uuid}/cancel`), 202);
    assert.equal(cancelled.state, "cancelled");
    assert.equal((await socket.ended("t1")).type, "chat.cancelled");
    const events = await reader.rest();
    assert.deepEqual(
      events.map(({ event, data }) => [event, data.text ?? data.state]),
      [
        ["snapshot", "so far"],
        ["run.aborted", undefined],
        ["end", "cancelled"],
      ],
    );
    assert.equal((await eventsOf(harness, { uuid })).at(-1)!.event, "end");
  });
});
