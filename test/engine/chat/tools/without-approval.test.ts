import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chat, graph, toolOutput, worldOf } from "../../../support/engine/tool-turns.ts";
import { json } from "../../../support/json.ts";
import { testTool } from "../../../support/providers/model.ts";

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
