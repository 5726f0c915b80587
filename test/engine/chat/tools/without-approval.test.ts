import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chat, graph, harnessOf, toolOutput } from "../../../support/engine/turns.ts";
import { json } from "../../../support/http.ts";
import { testTool } from "../../../support/providers/model.ts";

describe("a tool call that needs no approval", () => {
  it("runs between two model nodes; its record is stored, published and broadcast", async () => {
    await using harness = await harnessOf([
      ["thinking ", { call: "read_value", id: "c1", args: { value: 7 } }],
      ["seven"],
    ]);
    const { socket, threadUuid, test, model } = harness;
    const other = harness.connect();
    await other.say({ type: "client.hello" });
    await chat(harness);
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
    assert.deepEqual(await harness.stored(), [
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
    await using harness = await harnessOf(
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
      harness.test.deps.clock.advance(1_000);
      const thread = await json(await harness.test.call("GET", `/threads/${harness.threadUuid}`));
      times.push(thread.updatedAt);
    };
    await chat(harness);
    assert.equal(times.length, 2);
    assert.equal(times[0], times[1]);
  });

  it("is never part of later history", async () => {
    await using harness = await harnessOf([[{ call: "read_value", args: {} }], ["a"], ["b"]]);
    await chat(harness);
    await chat(harness, "t2");
    assert.deepEqual(
      harness.model.requests[2]!.messages.map(({ role }) => role),
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
    await using harness = await harnessOf(
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
    await chat(harness);
    assert.deepEqual(order, ["begin 1", "end 1", "begin 2", "end 2"]);
    assert.deepEqual(
      toolOutput(harness.model).map(({ output }) => output),
      ["1", "2"],
    );
  });

  it("takes the time of the run alone into its record", async () => {
    const tool = testTool("read_value", async () => harness.test.deps.clock.advance(250));
    await using harness = await harnessOf([[{ call: "read_value", args: {} }], []], {}, [tool]);
    await chat(harness);
    assert.equal((await harness.records())[0].duration_ms, 250);
  });
});
