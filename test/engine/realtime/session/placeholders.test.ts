import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createChatHarness } from "../../../support/engine/chat.ts";

describe("the placeholders", () => {
  for (const type of ["profile.set", "tool.result"]) {
    it(`accept ${type} silently`, async () => {
      await using harness = await createChatHarness();
      for (const data of [{}, null, [], { anything: 1 }]) await harness.socket.say({ type, data });
      assert.deepEqual(harness.socket.frames, []);
    });
  }
});
