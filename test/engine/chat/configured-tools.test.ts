// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createChatHarness } from "../../support/engine/chat.ts";
import { json } from "../../support/http.ts";
import { ScriptedModel, scriptedChat } from "../../support/providers/model.ts";

const NAME = "read_configured";

async function configuredHarness(model: ScriptedModel) {
  const harness = await createChatHarness({ chat: scriptedChat(model) });
  await json(await harness.test.call("POST", "/tool-registry", { name: NAME }), 201);
  return harness;
}

describe("configured tools in a turn", () => {
  it("are not offered to a model, and cannot be called by it", async () => {
    const model = new ScriptedModel([{ call: NAME, args: {} }], ["done"]);
    await using harness = await configuredHarness(model);
    const { socket, threadUuid: thread_uuid } = harness;
    assert.equal((await socket.chat("t1", { content: "x", thread_uuid })).type, "chat.done");
    const offered = model.requests[0]!.tools.map(({ name }) => name);
    assert.ok(offered.includes("read_file") && !offered.includes(NAME));
    const [record] = await harness.records();
    assert.equal(record.status, "failed");
    assert.match(record.error, /There is no tool named "read_configured"\./);
  });

  it("cannot be registered as UI tools", async () => {
    await using harness = await configuredHarness(new ScriptedModel());
    const { socket } = harness;
    await socket.say({ type: "tool.register", data: { tools: [{ id: NAME }] } });
    assert.equal(socket.frames.at(-1)!.type, "error");
    assert.deepEqual(socket.session.uiTools(), []);
  });
});
