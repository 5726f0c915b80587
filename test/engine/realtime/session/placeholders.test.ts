import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createChatWorld } from "../../../support/engine/chat.ts";

describe("the placeholders", () => {
  for (const type of ["profile.set", "tool.result"]) {
    it(`accept ${type} silently`, async () => {
      await using world = await createChatWorld();
      for (const data of [{}, null, [], { anything: 1 }]) await world.socket.say({ type, data });
      assert.deepEqual(world.socket.frames, []);
    });
  }
});
