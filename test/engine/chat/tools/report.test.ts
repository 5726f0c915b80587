import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chat, harnessOf, toolOutput } from "../../../support/engine/turns.ts";
import { testTool } from "../../../support/providers/model.ts";

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
    it(`is recorded and sent to the model, and the turn continues: ${name}`, async () => {
      await using harness = await harnessOf([[{ call, id: "c1", args }], ["I see"]]);
      assert.equal((await chat(harness)).type, "chat.done");
      const [record] = await harness.records();
      assert.equal(record.status, "failed");
      assert.ok(record.error.includes(error), record.error);
      assert.equal("result" in record, false);
      const [outcome] = toolOutput(harness.model);
      assert.equal(outcome!.failed, true);
      assert.ok(outcome!.output.includes(error));
    });
  }

  it("is not asked about where the name is unknown or the arguments are no JSON", async () => {
    await using harness = await harnessOf(
      [
        [
          { call: "frobnicate", args: {} },
          { call: "read_value", args: "{" },
        ],
        ["ok"],
      ],
      { approvalConfig: null },
    );
    assert.equal((await chat(harness)).type, "chat.done");
    assert.equal(harness.socket.ofType("tool.approval.request").length, 0);
    const [unknown, garbled] = await harness.records();
    assert.equal(unknown.operation, "update");
    assert.equal(garbled.operation, "read");
    assert.equal(garbled.arguments, "{");
  });

  it("takes blank arguments for none", async () => {
    await using harness = await harnessOf([[{ call: "read_value", args: "" }], []]);
    await chat(harness);
    assert.deepEqual((await harness.records())[0].arguments, {});
    assert.equal((await harness.records())[0].status, "completed");
  });

  it("without a result is null in the record", async () => {
    await using harness = await harnessOf([[{ call: "delete_value", args: {} }], []]);
    await chat(harness);
    assert.equal((await harness.records())[0].result, null);
  });

  it("over 64 KiB is cut and marked in the record, and cut further for the model", async () => {
    const tool = testTool("read_value", async () => `x${"ä".repeat(50_000)}`);
    await using harness = await harnessOf([[{ call: "read_value", args: {} }], []], {}, [tool]);
    await chat(harness);
    const { result } = (await harness.records())[0];
    assert.match(result, /^xä+\n\[Cut: the first 65536 of 100001 bytes\.\]$/);
    assert.ok(Buffer.byteLength(result) < 65_536 + 100);
    const [outcome] = toolOutput(harness.model);
    assert.match(outcome!.output, /^xä+\n\[Cut: the first \d+ of 100001 bytes\.\]$/);
    assert.ok(Buffer.byteLength(outcome!.output) < 65_536);
  });
});
