import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MODEL_STEPS_MAX } from "../../../engine/limits.ts";
import { ToolFailure } from "../../../engine/tools/builtin/builtin.ts";
import { type ChatWorld, createChatWorld, NOTHING_ASKED } from "../../support/engine/chat.ts";
import type { ReceivedFrame, TestSocket } from "../../support/engine/socket.ts";
import { json } from "../../support/json.ts";
import {
  ScriptedModel,
  type ScriptedStep,
  scriptedChat,
  testTool,
} from "../../support/providers/model.ts";

const TOOLS = [
  testTool("read_value", async (value) => ({ read: value })),
  testTool("create_value", async (value) => value),
  testTool("update_value", async (value) => value),
  testTool("delete_value", async () => undefined),
  testTool("get_failure", async () => {
    throw new ToolFailure("The path is not there.");
  }),
  testTool("get_fault", async () => {
    throw new Error("secret detail");
  }),
  testTool(
    "read_guarded",
    async () => "guarded",
    async () => true,
  ),
];

async function worldOf(
  steps: ScriptedStep[],
  workspace: Record<string, unknown> = {},
  tools = TOOLS,
): Promise<ChatWorld & { model: ScriptedModel }> {
  const model = new ScriptedModel(...steps);
  const world = await createChatWorld({ chat: scriptedChat(model, { tools }) }, workspace);
  return Object.assign(world, { model });
}

const chat = ({ socket, threadUuid }: ChatWorld, id = "t1", more = {}) =>
  socket.chat(id, { content: "go", thread_uuid: threadUuid, ...more });

const send = ({ socket, threadUuid }: ChatWorld, id = "t1", more = {}) =>
  socket.say({
    type: "chat.send",
    id,
    data: { content: "go", thread_uuid: threadUuid, ...more },
  });

const graph = (frames: ReceivedFrame[]) =>
  frames.map(({ type, data }) =>
    type === "agui.event" ? `${data.type} ${data.node_id ?? ""}`.trim() : type,
  );

const answer = (socket: TestSocket, approval_id: string, decision: unknown, more = {}) =>
  socket.say({ type: "tool.approval.response", data: { approval_id, decision }, ...more });

const toolOutput = (model: ScriptedModel, request = 1) => {
  const message = model.requests[request]!.messages.at(-1)!;
  assert.ok(message.role === "tool");
  return message.results;
};

describe("a tool call that needs no approval", () => {
  it("runs between two model nodes; its record is stored, published and broadcast", async () => {
    await using world = await worldOf([
      ["thinking ", { call: "read_value", id: "c1", args: { value: 7 } }],
      ["seven"],
    ]);
    const { socket, threadUuid, test, model } = world;
    const other = world.connect();
    await other.say({ type: "client.hello" });
    await chat(world);
    assert.deepEqual(graph(socket.frames), [
      "run.started",
      "node.started model",
      "model.delta model",
      "node.completed model",
      "node.started tools",
      "node.completed tools",
      "node.started model",
      "model.delta model",
      "node.completed model",
      "run.completed",
      "chat.delta",
      "chat.done",
    ]);
    assert.equal(socket.ofType("chat.delta")[0]!.data.delta, "thinking seven");
    const record = {
      tool_call_id: "c1",
      tool_name: "read_value",
      operation: "read",
      arguments: { value: 7 },
      status: "completed",
      result: { read: 7 },
      duration_ms: 0,
    };
    const content = JSON.stringify(record);
    assert.deepEqual(await world.stored(), [
      ["user", "go"],
      ["tool", content],
      ["assistant", "thinking seven"],
    ]);
    const published = test.publishedEvents().filter(({ data }) => data.role === "tool");
    assert.equal(published.length, 1);
    assert.equal(published[0]!.data.content, content);
    const broadcast = other.ofType("message.created").filter(({ data }) => data.role === "tool");
    assert.deepEqual(broadcast[0]!.data, published[0]!.data);
    assert.equal(broadcast[0]!.data.threadId, threadUuid);
    assert.deepEqual(model.requests[1]!.messages.slice(-2), [
      {
        role: "step",
        content: "thinking ",
        calls: [{ toolCallId: "c1", toolName: "read_value", argumentsText: '{"value":7}' }],
        replay: undefined,
      },
      {
        role: "tool",
        results: [
          { toolCallId: "c1", toolName: "read_value", output: '{"read":7}', failed: false },
        ],
      },
    ]);
  });

  it("does not move updatedAt of the thread", async () => {
    const times: string[] = [];
    let read = async () => {};
    const tool = testTool("read_value", async () => "x");
    const probe = testTool("get_time", () => read());
    await using world = await worldOf(
      [
        [{ call: "get_time", args: {} }],
        [{ call: "read_value", args: {} }],
        [{ call: "get_time", args: {} }],
        [],
      ],
      {},
      [tool, probe],
    );
    read = async () => {
      world.test.deps.clock.advance(1_000);
      const thread = await json(await world.test.call("GET", `/threads/${world.threadUuid}`));
      times.push(thread.updatedAt);
    };
    await chat(world);
    assert.equal(times.length, 2);
    assert.equal(times[0], times[1]);
  });

  it("is never part of later history", async () => {
    await using world = await worldOf([[{ call: "read_value", args: {} }], ["a"], ["b"]]);
    await chat(world);
    await chat(world, "t2");
    assert.deepEqual(
      world.model.requests[2]!.messages.map(({ role }) => role),
      ["user", "assistant", "user"],
    );
  });

  it("runs the calls of one step one after the other, in their order", async () => {
    const order: string[] = [];
    const tool = testTool("read_value", async (value) => {
      order.push(`begin ${value}`);
      await new Promise(setImmediate);
      order.push(`end ${value}`);
      return value;
    });
    await using world = await worldOf(
      [
        [
          { call: "read_value", args: { value: 1 } },
          { call: "read_value", args: { value: 2 } },
        ],
        ["done"],
      ],
      {},
      [tool],
    );
    await chat(world);
    assert.deepEqual(order, ["begin 1", "end 1", "begin 2", "end 2"]);
    assert.deepEqual(
      toolOutput(world.model).map(({ output }) => output),
      ["1", "2"],
    );
  });

  it("takes the time of the run alone into its record", async () => {
    const tool = testTool("read_value", async () => world.test.deps.clock.advance(250));
    await using world = await worldOf([[{ call: "read_value", args: {} }], []], {}, [tool]);
    await chat(world);
    assert.equal((await world.records())[0].duration_ms, 250);
  });
});

describe("what a tool reports", () => {
  const reports = [
    ["a failure of the tool", "get_failure", {}, "The path is not there."],
    ["bad arguments", "read_value", "[1]", "The arguments are not a JSON object."],
    ["arguments that are not JSON", "read_value", "{nope", "The arguments are not a JSON object."],
    [
      "arguments that are nested beyond use",
      "read_value",
      `{"value":${"[".repeat(5_000)}${"]".repeat(5_000)}}`,
      "The arguments are not a JSON object.",
    ],
    ["an unknown tool name", "frobnicate", {}, 'There is no tool named "frobnicate".'],
    ["a UI tool that is not registered", "navigate_ui", {}, 'no tool named "navigate_ui"'],
    ["a tool of Object's", "__proto__", {}, 'no tool named "__proto__"'],
  ] as const;
  for (const [name, call, args, error] of reports) {
    it(`is recorded and told to the model, and the turn goes on: ${name}`, async () => {
      await using world = await worldOf([[{ call, id: "c1", args }], ["I see"]]);
      assert.equal((await chat(world)).type, "chat.done");
      const [record] = await world.records();
      assert.equal(record.status, "failed");
      assert.ok(record.error.includes(error), record.error);
      assert.equal("result" in record, false);
      const [outcome] = toolOutput(world.model);
      assert.equal(outcome!.failed, true);
      assert.ok(outcome!.output.includes(error));
    });
  }

  it("is not asked about where the name is unknown or the arguments are no JSON", async () => {
    await using world = await worldOf(
      [
        [
          { call: "frobnicate", args: {} },
          { call: "read_value", args: "{" },
        ],
        ["ok"],
      ],
      { approvalConfig: null },
    );
    assert.equal((await chat(world)).type, "chat.done");
    assert.equal(world.socket.ofType("tool.approval.request").length, 0);
    const [unknown, garbled] = await world.records();
    assert.equal(unknown.operation, "update");
    assert.equal(garbled.operation, "read");
    assert.equal(garbled.arguments, "{");
  });

  it("takes blank arguments for none", async () => {
    await using world = await worldOf([[{ call: "read_value", args: "" }], []]);
    await chat(world);
    assert.deepEqual((await world.records())[0].arguments, {});
    assert.equal((await world.records())[0].status, "completed");
  });

  it("without a result is null in the record", async () => {
    await using world = await worldOf([[{ call: "delete_value", args: {} }], []]);
    await chat(world);
    assert.equal((await world.records())[0].result, null);
  });

  it("over 64 KiB is cut in the record, which says so, and cut further for the model", async () => {
    const tool = testTool("read_value", async () => `x${"ä".repeat(50_000)}`);
    await using world = await worldOf([[{ call: "read_value", args: {} }], []], {}, [tool]);
    await chat(world);
    const { result } = (await world.records())[0];
    assert.match(result, /^xä+\n\[Cut: the first 65536 of 100001 bytes\.\]$/);
    assert.ok(Buffer.byteLength(result) < 65_536 + 100);
    const [outcome] = toolOutput(world.model);
    assert.match(outcome!.output, /^xä+\n\[Cut: the first \d+ of 100001 bytes\.\]$/);
    assert.ok(Buffer.byteLength(outcome!.output) < 65_536);
  });
});

describe("a fault inside a tool", () => {
  it("ends the turn with chat.error; committed records stay, nothing of the fault is told", async () => {
    await using world = await worldOf([
      [
        { call: "read_value", args: {} },
        { call: "get_fault", args: {} },
        { call: "read_value", args: {} },
      ],
    ]);
    const error = await chat(world);
    assert.equal(error.type, "chat.error");
    assert.equal(error.data.error, "Internal server error.");
    assert.equal(graph(world.socket.frames).at(-2), "run.failed");
    assert.equal((await world.records()).length, 1);
    assert.ok(!JSON.stringify(world.socket.frames).includes("secret detail"));
  });

  it("is a model that never comes to an answer: at most 40 steps", async () => {
    const steps = Array.from({ length: 50 }, () => [{ call: "read_value", args: {} }]);
    await using world = await worldOf(steps);
    const error = await chat(world);
    assert.equal(error.type, "chat.error");
    assert.match(error.data.error, /40 steps/);
    assert.equal(world.model.requests.length, MODEL_STEPS_MAX);
    assert.equal((await world.records()).length, MODEL_STEPS_MAX - 1);
  });
});

describe("approval", () => {
  const ASK_ALL = { approvalConfig: null };

  it("is asked with what is going to run, and approve in any case lets it run", async () => {
    for (const decision of ["approve", "APPROVE", "Approve"]) {
      await using world = await worldOf(
        [[{ call: "create_value", args: { value: { a: [1] } } }], ["done"]],
        ASK_ALL,
      );
      const { socket, threadUuid: thread_uuid } = world;
      await send(world);
      const request = await socket.next("tool.approval.request");
      const { approval_id } = request.data;
      assert.equal(request.id, "t1");
      assert.deepEqual(request.data, {
        approval_id,
        thread_uuid,
        tool_name: "create_value",
        arguments: { value: { a: [1] } },
        operation: "create",
      });
      assert.equal((await world.records()).length, 0);
      await answer(socket, approval_id, decision, { id: "t1" });
      assert.equal((await socket.ended("t1")).type, "chat.done");
      assert.equal((await world.records())[0].status, "completed");
      assert.equal(socket.ofType("error").length, 0);
    }
  });

  const denials = ["deny", "approved", " approve", "", null, true, 1, ["approve"], undefined];
  for (const decision of denials) {
    it(`is denied by ${JSON.stringify(decision)}: the tool never runs, the model is told`, async () => {
      let ran = false;
      const tool = testTool("create_value", async () => {
        ran = true;
      });
      await using world = await worldOf(
        [[{ call: "create_value", args: {} }], ["as you wish"]],
        ASK_ALL,
        [tool],
      );
      const { socket, model } = world;
      await send(world);
      const { approval_id } = (await socket.next("tool.approval.request")).data;
      await answer(socket, approval_id, decision);
      assert.equal((await socket.ended("t1")).type, "chat.done");
      assert.equal(ran, false);
      const [record] = await world.records();
      assert.equal(record.status, "denied");
      assert.equal(record.error, "The user denied this call.");
      assert.deepEqual(toolOutput(model)[0]!.failed, true);
    });
  }

  const policies = [
    ["the thread's policy first", '{"create":false}', '{"create":true}', true],
    ["the workspace's where the thread has none", '{"create":false}', null, false],
    ["always where the thread's is malformed", NOTHING_ASKED, "{", true],
    ["the legacy keys", '{"mutation":false}', null, false],
  ] as const;
  for (const [name, approvalConfig, threadConfig, asks] of policies) {
    it(`follows ${name}`, async () => {
      await using world = await worldOf([[{ call: "create_value", args: {} }], []], {
        approvalConfig,
      });
      const { socket, threadUuid, test } = world;
      const policy = { approvalConfig: threadConfig };
      await test.call("PUT", `/threads/${threadUuid}/policy`, policy);
      socket.onFrame = ({ type, data }) => {
        if (type === "tool.approval.request") void answer(socket, data.approval_id, "approve");
      };
      await chat(world);
      assert.equal(socket.ofType("tool.approval.request").length, asks ? 1 : 0);
      assert.equal((await world.records())[0].status, "completed");
    });
  }

  it("is asked whatever the policy says where the tool wants it so", async () => {
    await using world = await worldOf([[{ call: "read_guarded", args: {} }], []]);
    await send(world);
    const { approval_id } = (await world.socket.next("tool.approval.request")).data;
    await answer(world.socket, approval_id, "no");
    await world.socket.ended("t1");
    assert.equal((await world.records())[0].status, "denied");
  });

  it("has no time limit", async () => {
    await using world = await worldOf([[{ call: "create_value", args: {} }], []], ASK_ALL);
    const { socket, test } = world;
    await send(world);
    const { approval_id } = (await socket.next("tool.approval.request")).data;
    test.deps.clock.advance(365 * 24 * 3_600_000);
    await answer(socket, approval_id, "approve");
    assert.equal((await socket.ended("t1")).type, "chat.done");
    assert.equal(test.deps.clock.pendingTimers, 0);
  });

  it("runs exactly what was shown, though the tool or the model keeps the arguments", async () => {
    const seen: unknown[] = [];
    const greedy = testTool("create_value", async (value) => {
      seen.push(structuredClone(value));
      assert.throws(() => {
        (value as { path: string }).path = "/etc/passwd";
      });
      return "ok";
    });
    await using world = await worldOf(
      [[{ call: "create_value", args: { value: { path: "/tmp/a" } } }], []],
      ASK_ALL,
      [greedy],
    );
    const { socket } = world;
    await send(world);
    const request = await socket.next("tool.approval.request");
    await answer(socket, request.data.approval_id, "approve");
    await socket.ended("t1");
    assert.deepEqual(seen, [request.data.arguments.value]);
    assert.deepEqual((await world.records())[0].arguments, { value: { path: "/tmp/a" } });
  });

  it("takes an answer once, from its own connection, for its own turn; else an error frame", async () => {
    await using world = await worldOf([[{ call: "create_value", args: {} }], ["done"]], ASK_ALL);
    const { socket } = world;
    const stranger = world.connect();
    await send(world);
    const { approval_id } = (await socket.next("tool.approval.request")).data;
    await answer(stranger, approval_id, "approve");
    await answer(stranger, approval_id, "approve", { id: "t1" });
    assert.equal(stranger.ofType("error").length, 2);
    const wrong = [
      { id: "t2" },
      { data: { approval_id, decision: "approve", turn_id: "t2" } },
      { data: { approval_id: "other", decision: "approve" } },
      { data: { decision: "approve" } },
      { data: { approval_id: 1, decision: "approve" } },
      { data: null },
    ];
    for (const [at, more] of wrong.entries()) {
      await answer(socket, approval_id, "approve", more);
      const errors = socket.ofType("error");
      assert.equal(errors.length, at + 1, JSON.stringify(more));
      assert.equal("id" in errors[at]!, false);
      assert.deepEqual(Object.keys(errors[at]!.data), ["error"]);
    }
    assert.equal((await world.records()).length, 0);
    await answer(socket, approval_id, "approve");
    await socket.ended("t1");
    await answer(socket, approval_id, "approve");
    assert.equal(socket.ofType("error").length, wrong.length + 1);
    assert.equal((await world.records()).length, 1);
  });

  it("is settled by cancel: the tool never runs, a late answer is stale", async () => {
    await using world = await worldOf([[{ call: "create_value", args: {} }]], ASK_ALL);
    const { socket } = world;
    await send(world);
    const { approval_id } = (await socket.next("tool.approval.request")).data;
    await socket.say({ type: "chat.cancel", id: "t1" });
    assert.equal((await socket.ended("t1")).type, "chat.cancelled");
    await answer(socket, approval_id, "approve");
    assert.equal(socket.frames.at(-1)!.type, "error");
    assert.deepEqual(await world.stored(), [["user", "go"]]);
  });

  it("is settled by a disconnect", async () => {
    await using world = await worldOf([[{ call: "create_value", args: {} }]], ASK_ALL);
    const { socket } = world;
    await send(world);
    await socket.next("tool.approval.request");
    const frames = socket.frames.length;
    await socket.session.close();
    assert.equal(socket.frames.length, frames);
    assert.deepEqual(await world.stored(), [["user", "go"]]);
  });

  it("is answered while a second send is refused", async () => {
    await using world = await worldOf([[{ call: "create_value", args: {} }], []], ASK_ALL);
    const { socket } = world;
    await send(world);
    const { approval_id } = (await socket.next("tool.approval.request")).data;
    await send(world, "t2");
    assert.match(socket.frames.at(-1)!.data.error, /turn is active/i);
    await answer(socket, approval_id, "approve");
    assert.equal((await socket.ended("t1")).type, "chat.done");
  });
});

describe("client UI tools", () => {
  const register = (socket: TestSocket, ...ids: string[]) =>
    socket.say({ type: "tool.register", data: { tools: ids.map((id) => ({ id, junk: 1 })) } });
  const CALL = [{ call: "navigate_ui", id: "c1", args: { destination: "files" } }];

  /** A turn that waits for its client tool. */
  async function waiting(steps: ScriptedStep[] = [CALL, ["there"]]) {
    const world = await worldOf(steps);
    await register(world.socket, "navigate_ui");
    await send(world);
    const approval = await world.socket.next("tool.approval.request");
    await answer(world.socket, approval.data.approval_id, "approve");
    const request = await world.socket.next("client.tool.request");
    return Object.assign(world, { request, request_id: request.data.request_id });
  }
  const result = (data: Record<string, unknown>, id: string | null = "t1") => ({
    type: "client.tool.result",
    ...(id === null ? {} : { id }),
    data,
  });

  it("ask first whatever the policy says, then request; the result goes to the model", async () => {
    await using world = await waiting();
    const { socket, request, request_id, model } = world;
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
    assert.deepEqual((await world.records())[0].result, { at: "files" });
    assert.equal(toolOutput(model)[0]!.output, '{"at":"files"}');
    assert.equal(world.test.deps.clock.pendingTimers, 0);
  });

  it("that are denied are never requested", async () => {
    await using world = await worldOf([CALL, ["ok"]]);
    await register(world.socket, "navigate_ui");
    await send(world);
    const { approval_id } = (await world.socket.next("tool.approval.request")).data;
    await answer(world.socket, approval_id, "deny");
    await world.socket.ended("t1");
    assert.equal(world.socket.ofType("client.tool.request").length, 0);
    assert.equal((await world.records())[0].status, "denied");
  });

  const failures = [
    [{ ok: false, error: "No such screen." }, "No such screen."],
    [{ ok: false }, "The client reports a failure."],
    [{ ok: false, error: null, result: "x" }, "The client reports a failure."],
  ] as const;
  for (const [data, error] of failures) {
    it(`that report ${JSON.stringify(data)} fail for the model, and the turn goes on`, async () => {
      await using world = await waiting();
      await world.socket.say(result({ request_id: world.request_id, ...data }));
      assert.equal((await world.socket.ended("t1")).type, "chat.done");
      const [record] = await world.records();
      assert.equal(record.status, "failed");
      assert.equal(record.error, error);
    });
  }

  it("that answer what cannot be written again fail for the model", async () => {
    await using world = await waiting();
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const data = `{"request_id":"${world.request_id}","ok":true,"result":${deep}}`;
    await world.socket.say(`{"type":"client.tool.result","id":"t1","data":${data}}`);
    assert.equal((await world.socket.ended("t1")).type, "chat.done");
    assert.match((await world.records())[0].error, /nested too deeply/);
  });

  it("have 60 seconds: then the call fails, the turn goes on, and a late result is stale", async () => {
    await using world = await waiting();
    const { socket, request_id, test } = world;
    test.deps.clock.advance(59_999);
    await socket.say({ type: "ping" });
    assert.equal((await world.records()).length, 0);
    test.deps.clock.advance(1);
    assert.equal((await socket.ended("t1")).type, "chat.done");
    assert.match((await world.records())[0].error, /60 seconds/);
    await socket.say(result({ request_id, ok: true }));
    assert.equal(socket.frames.at(-1)!.type, "error");
  });

  it("take a result once, with the id of the turn, from their own connection; else an error frame", async () => {
    await using world = await waiting();
    const { socket, request_id } = world;
    const stranger = world.connect();
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
    assert.equal((await world.records()).length, 0);
    await socket.say(result({ request_id, ok: true, turn_id: "t1" }, null));
    assert.equal((await socket.ended("t1")).type, "chat.done");
    await socket.say(result({ request_id, ok: true }));
    assert.equal(socket.ofType("error").length, wrong.length + 1);
    assert.equal((await world.records())[0].result, null);
  });

  it("are settled by cancel and by a disconnect, timers included", async () => {
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
    await using world = await worldOf([[], []]);
    await register(world.socket, "navigate_ui", "set_ui_theme_color");
    await chat(world, "t1", { tools_enabled: false });
    await chat(world, "t2");
    const names = (at: number) => world.model.requests[at]!.tools.map(({ name }) => name);
    assert.deepEqual(names(0), ["navigate_ui", "set_ui_theme_color"]);
    assert.deepEqual(
      names(1).slice(0, TOOLS.length),
      TOOLS.map(({ name }) => name),
    );
    assert.deepEqual(names(1).slice(TOOLS.length), names(0));
  });

  it("are not requested from a client that took them back while the user was asked", async () => {
    await using world = await worldOf([[{ call: "navigate_ui", args: {} }], []]);
    const { socket } = world;
    await register(socket, "navigate_ui");
    const ended = chat(world, "t1");
    const { approval_id } = (await socket.next("tool.approval.request")).data;
    await socket.say({ type: "tool.unregister", data: { id: "navigate_ui" } });
    const data = { approval_id, decision: "approve" };
    await socket.say({ type: "tool.approval.response", id: "t1", data });
    assert.equal((await ended).type, "chat.done");
    assert.deepEqual(socket.ofType("client.tool.request"), []);
    const [record] = await world.records();
    assert.equal(record.status, "failed");
    assert.match(record.error, /no longer offers/);
  });

  it("belong to their connection, and go with tool.unregister", async () => {
    await using world = await worldOf([[], [], []]);
    const { socket, model } = world;
    const other = world.connect();
    await register(socket, "navigate_ui");
    const off = { tools_enabled: false, content: "x", thread_uuid: world.threadUuid };
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

describe("tools_enabled", () => {
  const cases = [
    [undefined, true],
    [true, true],
    [null, true],
    [0, true],
    ["false", true],
    [false, false],
  ] as const;
  for (const [value, enabled] of cases) {
    it(`${JSON.stringify(value)} ${enabled ? "keeps" : "takes away"} the built-in tools`, async () => {
      await using world = await worldOf([[]]);
      assert.equal((await chat(world, "t1", { tools_enabled: value })).type, "chat.done");
      assert.equal(world.model.requests[0]!.tools.length > 0, enabled);
    });
  }

  it("says nothing of a call that the model makes all the same", async () => {
    await using world = await worldOf([[{ call: "read_value", args: {} }], []]);
    await chat(world, "t1", { tools_enabled: false });
    assert.match((await world.records())[0].error, /no tool named/);
  });
});
