import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it } from "node:test";
import type { ModelPart } from "../../../engine/models/language-model.ts";
import { type ChatHarness, createChatHarness } from "../../support/engine/chat.ts";
import { deletedRowsGone } from "../../support/engine/engine.ts";
import { NOTHING_ASKED } from "../../support/engine/files.ts";
import {
  ScriptedModel,
  type ScriptedStep,
  scriptedChat,
  testTool,
} from "../../support/providers/model.ts";

const DELETES = [
  ["thread", (harness: ChatHarness) => `/threads/${harness.threadUuid}`],
  ["workspace", (harness: ChatHarness) => `/workspaces/${harness.workspaceUuid}`],
] as const;

const start = ({ socket, threadUuid }: ChatHarness) =>
  socket.say({ type: "chat.send", id: "t1", data: { content: "go", thread_uuid: threadUuid } });

async function assertEnded(harness: ChatHarness, path: string): Promise<void> {
  const { socket, test, threadUuid } = harness;
  assert.equal((await test.call("DELETE", path)).status, 204);
  const ended = await socket.ended("t1");
  assert.equal(ended.type, "chat.error");
  assert.deepEqual(ended.data, { thread_uuid: threadUuid, error: "The thread was deleted." });
  const graph = socket.ofType("agui.event").map(({ data }) => data.type);
  assert.equal(graph.at(-1), "run.failed");
  await deletedRowsGone(test.deps.db);
  const { rows } = await test.deps.db.$client.execute("SELECT 1 FROM messages");
  assert.equal(rows.length, 0);
  await socket.say({
    type: "chat.send",
    id: "t2",
    data: { content: "x", thread_uuid: threadUuid },
  });
  assert.equal((await socket.ended("t2")).data.error, "Thread not found.");
}

for (const [what, pathOf] of DELETES) {
  describe(`a turn whose ${what} is deleted`, () => {
    it("ends at once while the model answers, and its request is aborted", async () => {
      let aborted = false;
      const silent: ScriptedStep = async function* (_, signal): AsyncIterable<ModelPart> {
        yield { type: "delta", text: "begun" };
        await once(signal, "abort");
        aborted = true;
        throw signal.reason;
      };
      const chat = scriptedChat(new ScriptedModel(silent));
      await using harness = await createChatHarness({ chat });
      await start(harness);
      await harness.socket.next("agui.event");
      await assertEnded(harness, pathOf(harness));
      assert.ok(aborted);
      assert.equal(harness.socket.ofType("chat.delta").length, 0);
    });

    it("runs no tool that waited for approval", async () => {
      let ran = false;
      const tool = testTool("delete_value", async () => {
        ran = true;
      });
      const model = new ScriptedModel([{ call: "delete_value", args: { value: 1 } }], ["late"]);
      const chat = scriptedChat(model, { tools: [tool] });
      await using harness = await createChatHarness({ chat }, { approvalConfig: null });
      await start(harness);
      const { approval_id } = (await harness.socket.next("tool.approval.request")).data;
      await assertEnded(harness, pathOf(harness));
      const data = { approval_id, decision: "approve" };
      await harness.socket.say({ type: "tool.approval.response", id: "t1", data });
      assert.equal(ran, false);
      assert.equal(model.requests.length, 1);
      assert.match((await harness.socket.next("error")).data.error, /No pending approval/);
    });

    it("waits no longer for a tool of its client", async () => {
      const model = new ScriptedModel([{ call: "navigate_ui", args: {} }], ["late"]);
      await using harness = await createChatHarness(
        { chat: scriptedChat(model, { tools: [] }) },
        { approvalConfig: NOTHING_ASKED },
      );
      await harness.socket.say({ type: "tool.register", data: { tools: [{ id: "navigate_ui" }] } });
      await start(harness);
      const { approval_id } = (await harness.socket.next("tool.approval.request")).data;
      const data = { approval_id, decision: "approve" };
      await harness.socket.say({ type: "tool.approval.response", id: "t1", data });
      await harness.socket.next("client.tool.request");
      await assertEnded(harness, pathOf(harness));
      assert.equal(model.requests.length, 1);
    });
  });
}

it("a turn of another thread continues", async () => {
  const chat = scriptedChat(
    new ScriptedModel([{ call: "read_it", args: { value: 1 } }], ["done"]),
    {
      tools: [testTool("read_it", async () => "it")],
    },
  );
  await using harness = await createChatHarness({ chat }, { approvalConfig: null });
  const other = await (
    await harness.test.call("POST", "/threads", { workspaceUuid: harness.workspaceUuid })
  ).json();
  await start(harness);
  const { approval_id } = (await harness.socket.next("tool.approval.request")).data;
  await harness.test.call("DELETE", `/threads/${other.uuid}`);
  const data = { approval_id, decision: "approve" };
  await harness.socket.say({ type: "tool.approval.response", id: "t1", data });
  assert.equal((await harness.socket.ended("t1")).type, "chat.done");
});
