import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MODEL_STEPS_MAX } from "../../../../engine/chat/limits.ts";
import { chat, graph, harnessOf } from "../../../support/engine/turns.ts";

describe("a fault inside a tool", () => {
  it("ends the turn with chat.error; committed records stay, and the fault stays private", async () => {
    await using harness = await harnessOf([
      [
        { call: "read_value", args: {} },
        { call: "get_fault", args: {} },
        { call: "read_value", args: {} },
      ],
    ]);
    const error = await chat(harness);
    assert.equal(error.type, "chat.error");
    assert.equal(error.data.error, "Internal server error.");
    assert.equal(graph(harness.socket.frames).at(-2), "run.failed");
    assert.equal((await harness.records()).length, 1);
    assert.ok(!JSON.stringify(harness.socket.frames).includes("secret detail"));
  });

  it("is a model without a final answer: at most 40 steps", async () => {
    const steps = Array.from({ length: 50 }, () => [{ call: "read_value", args: {} }]);
    await using harness = await harnessOf(steps);
    const error = await chat(harness);
    assert.equal(error.type, "chat.error");
    assert.match(error.data.error, /40 steps/);
    assert.equal(harness.model.requests.length, MODEL_STEPS_MAX);
    assert.equal((await harness.records()).length, MODEL_STEPS_MAX - 1);
  });
});
