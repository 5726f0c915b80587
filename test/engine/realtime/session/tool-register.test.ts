import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createChatHarness, type TestSocket } from "../../../support/engine/chat.ts";

describe("tool.register", () => {
  const register = (socket: TestSocket, data: unknown) =>
    socket.say({ type: "tool.register", id: "r", data });

  it("accepts the five UI tools silently, once or twice", async () => {
    await using harness = await createChatHarness();
    const { socket } = harness;
    const ids = [
      "set_ui_theme_color",
      "set_ui_lighting_mode",
      "open_ui_workspace_file",
      "navigate_ui",
      "set_workspace_builtin_tool_enabled",
    ];
    await register(socket, { tools: ids.map((id) => ({ id, name: 1, parameters: null })) });
    await register(socket, { tools: [{ id: ids[0] }] });
    await register(socket, { tools: [] });
    assert.deepEqual(socket.frames, []);
    assert.deepEqual(
      socket.session.uiTools().map(({ name }) => name),
      ids,
    );
  });

  const refused = [
    [{}, 0],
    [{ tools: null }, 0],
    [{ tools: 5 }, 0],
    [{ tools: { id: "navigate_ui" } }, 0],
    [{ tools: "navigate_ui" }, 0],
    [{ tools: ["navigate_ui"] }, 0],
    [{ tools: [{ id: 1 }] }, 0],
    [{ tools: [{ id: "read_file" }, { id: "navigate_ui" }] }, 1],
    [{ tools: [{ id: "__proto__" }] }, 0],
  ] as const;
  for (const [data, count] of refused) {
    it(`answers ${JSON.stringify(data)} with an error frame, and the connection works on`, async () => {
      await using harness = await createChatHarness();
      const { socket } = harness;
      await register(socket, data);
      assert.deepEqual(
        socket.frames.map(({ type }) => type),
        ["error"],
      );
      assert.equal("id" in socket.frames[0]!, false);
      assert.equal(socket.session.uiTools().length, count);
      await socket.say({ type: "ping" });
      assert.equal(socket.frames.at(-1)!.type, "pong");
    });
  }

  it("answers an unregister without an id with an error frame", async () => {
    await using harness = await createChatHarness();
    await harness.socket.say({ type: "tool.unregister", data: {} });
    assert.equal(harness.socket.frames[0]!.type, "error");
  });
});
