import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chat, harnessOf } from "../../../support/engine/turns.ts";

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
      await using harness = await harnessOf([[]]);
      assert.equal((await chat(harness, "t1", { tools_enabled: value })).type, "chat.done");
      assert.equal(harness.model.requests[0]!.tools.length > 0, enabled);
    });
  }

  it("has no question for a call that the model makes anyway", async () => {
    await using harness = await harnessOf([[{ call: "read_value", args: {} }], []]);
    await chat(harness, "t1", { tools_enabled: false });
    assert.match((await harness.records())[0].error, /no tool named/);
  });
});
