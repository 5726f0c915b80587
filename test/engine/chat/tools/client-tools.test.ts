// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TestSocket } from "../../../support/engine/chat.ts";
import { answer, chat, harnessOf, send, TOOLS, toolOutput } from "../../../support/engine/turns.ts";
import type { ScriptedStep } from "../../../support/providers/model.ts";

describe("client UI tools", () => {
  const register = (socket: TestSocket, ...ids: string[]) =>
    socket.say({ type: "tool.register", data: { tools: ids.map((id) => ({ id, junk: 1 })) } });
  const CALL = [{ call: "navigate_ui", id: "c1", args: { destination: "files" } }];

  /** A turn that waits for its client tool. */
  async function waiting(steps: ScriptedStep[] = [CALL, ["there"]]) {
    const harness = await harnessOf(steps);
    await register(harness.socket, "navigate_ui");
    await send(harness);
    const approval = await harness.socket.next("tool.approval.request");
    await answer(harness.socket, approval.data.approval_id, "approve");
    const request = await harness.socket.next("client.tool.request");
    return Object.assign(harness, { request, request_id: request.data.request_id });
  }
  const result = (data: Record<string, unknown>, id: string | null = "t1") => ({
    type: "client.tool.result",
    ...(id === null ? {} : { id }),
    data,
  });

  it("ask first under every policy, then request; the result is sent to the model", async () => {
    await using harness = await waiting();
    const { socket, request, request_id, model } = harness;
    assert.equal(socket.ofType("tool.approval.request")[0]!.data.operation, "update");
    assert.deepEqual(request, {
      v: 1,
      type: "client.tool.request",
      id: "t1",
      data: { request_id, tool_name: "navigate_ui", arguments: { destination: "files" } },
    });
    assert.ok(model.requests[0]!.tools.some(({ name }) => name === "navigate_ui"));
    await socket.say(result({ request_id, ok: true, result: { at: "files" } }));
    assert.equal((await socket.ended("t1")).type, "chat.done");
    assert.deepEqual((await harness.records())[0].result, { at: "files" });
    assert.equal(toolOutput(model)[0]!.output, '{"at":"files"}');
    assert.equal(harness.test.deps.clock.pendingTimers, 0);
  });

  it("that are denied are never requested", async () => {
    await using harness = await harnessOf([CALL, ["ok"]]);
    await register(harness.socket, "navigate_ui");
    await send(harness);
    const { approval_id } = (await harness.socket.next("tool.approval.request")).data;
    await answer(harness.socket, approval_id, "deny");
    await harness.socket.ended("t1");
    assert.equal(harness.socket.ofType("client.tool.request").length, 0);
    assert.equal((await harness.records())[0].status, "denied");
  });

  const failures = [
    [{ ok: false, error: "No such screen." }, "No such screen."],
    [{ ok: false }, "The client reports a failure."],
    [{ ok: false, error: null, result: "x" }, "The client reports a failure."],
  ] as const;
  for (const [data, error] of failures) {
    it(`that report ${JSON.stringify(data)} fail for the model, and the turn continues`, async () => {
      await using harness = await waiting();
      await harness.socket.say(result({ request_id: harness.request_id, ...data }));
      assert.equal((await harness.socket.ended("t1")).type, "chat.done");
      const [record] = await harness.records();
      assert.equal(record.status, "failed");
      assert.equal(record.error, error);
    });
  }

  it("that return an unserializable result fail for the model", async () => {
    await using harness = await waiting();
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const data = `{"request_id":"${harness.request_id}","ok":true,"result":${deep}}`;
    await harness.socket.say(`{"type":"client.tool.result","id":"t1","data":${data}}`);
    assert.equal((await harness.socket.ended("t1")).type, "chat.done");
    assert.match((await harness.records())[0].error, /nested too deeply/);
  });

  it("have 60 seconds: then the call fails, the turn continues, and a late result is stale", async () => {
    await using harness = await waiting();
    const { socket, request_id, test } = harness;
    test.deps.clock.advance(59_999);
    await socket.say({ type: "ping" });
    assert.equal((await harness.records()).length, 0);
    test.deps.clock.advance(1);
    assert.equal((await socket.ended("t1")).type, "chat.done");
    assert.match((await harness.records())[0].error, /60 seconds/);
    await socket.say(result({ request_id, ok: true }));
    assert.equal(socket.frames.at(-1)!.type, "error");
  });

  it("take a result once, with the id of the turn, from their own connection; else an error frame", async () => {
    await using harness = await waiting();
    const { socket, request_id } = harness;
    const stranger = harness.connect();
    await stranger.say(result({ request_id, ok: true }));
    assert.equal(stranger.ofType("error").length, 1);
    const wrong = [
      result({ request_id, ok: true }, null),
      result({ request_id, ok: true }, "t2"),
      result({ request_id, ok: true, turn_id: "t2" }, null),
      result({ request_id: "other", ok: true }),
      result({ ok: true }),
      result({ request_id }),
      result({ request_id, ok: "yes" }),
      result({ request_id, ok: false, error: 5 }),
      { type: "client.tool.result", id: "t1", data: [] },
    ];
    for (const [at, frame] of wrong.entries()) {
      await socket.say(frame);
      assert.equal(socket.ofType("error").length, at + 1, JSON.stringify(frame));
    }
    assert.equal((await harness.records()).length, 0);
    await socket.say(result({ request_id, ok: true, turn_id: "t1" }, null));
    assert.equal((await socket.ended("t1")).type, "chat.done");
    await socket.say(result({ request_id, ok: true }));
    assert.equal(socket.ofType("error").length, wrong.length + 1);
    assert.equal((await harness.records())[0].result, null);
  });

  it("end with a cancel and with a disconnect, timers included", async () => {
    await using cancelled = await waiting();
    await cancelled.socket.say({ type: "chat.cancel", id: "t1" });
    assert.equal((await cancelled.socket.ended("t1")).type, "chat.cancelled");
    assert.equal(cancelled.test.deps.clock.pendingTimers, 0);
    await using gone = await waiting();
    await gone.socket.session.close();
    assert.equal(gone.test.deps.clock.pendingTimers, 0);
    assert.deepEqual(await gone.stored(), [["user", "go"]]);
  });

  it("stay available where tools_enabled is false; built-in tools do not", async () => {
    await using harness = await harnessOf([[], []]);
    await register(harness.socket, "navigate_ui", "set_ui_theme_color");
    await chat(harness, "t1", { tools_enabled: false });
    await chat(harness, "t2");
    const names = (at: number) => harness.model.requests[at]!.tools.map(({ name }) => name);
    assert.deepEqual(names(0), ["navigate_ui", "set_ui_theme_color"]);
    assert.deepEqual(
      names(1).slice(0, TOOLS.length),
      TOOLS.map(({ name }) => name),
    );
    assert.deepEqual(names(1).slice(TOOLS.length), names(0));
  });

  it("are not requested from a client that unregistered them while the user was asked", async () => {
    await using harness = await harnessOf([[{ call: "navigate_ui", args: {} }], []]);
    const { socket } = harness;
    await register(socket, "navigate_ui");
    const ended = chat(harness, "t1");
    const { approval_id } = (await socket.next("tool.approval.request")).data;
    await socket.say({ type: "tool.unregister", data: { id: "navigate_ui" } });
    const data = { approval_id, decision: "approve" };
    await socket.say({ type: "tool.approval.response", id: "t1", data });
    assert.equal((await ended).type, "chat.done");
    assert.deepEqual(socket.ofType("client.tool.request"), []);
    const [record] = await harness.records();
    assert.equal(record.status, "failed");
    assert.match(record.error, /no longer offers/);
  });

  it("belong to their connection, and go with tool.unregister", async () => {
    await using harness = await harnessOf([[], [], []]);
    const { socket, model } = harness;
    const other = harness.connect();
    await register(socket, "navigate_ui");
    const off = { tools_enabled: false, content: "x", thread_uuid: harness.threadUuid };
    await other.chat("t1", off);
    await socket.chat("t2", off);
    await socket.say({ type: "tool.unregister", data: { id: "navigate_ui" } });
    await socket.say({ type: "tool.unregister", data: { id: "navigate_ui" } });
    await socket.chat("t3", off);
    assert.deepEqual(
      model.requests.map(({ tools }) => tools.length),
      [0, 1, 0],
    );
    assert.equal(socket.ofType("error").length, 0);
  });
});
