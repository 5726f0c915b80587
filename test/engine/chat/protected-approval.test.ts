import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NO_REACH } from "../../../engine/tools/builtin/reach.ts";
import { createChatHarness } from "../../support/engine/chat.ts";
import { ScriptedModel, scriptedChat, testTool } from "../../support/providers/model.ts";

const ASK_ALL = JSON.stringify({ create: true, read: true, update: true, delete: true });
const ASK_NOTHING = JSON.stringify({ create: false, read: false, update: false, delete: false });

describe("Approval of the engine's own data", () => {
  const cases: [name: string, approvalConfig: string, isProtected: boolean][] = [
    ["is not given by the approval of an ordinary call", ASK_ALL, false],
    ["is given where the call was known to lead there", ASK_NOTHING, true],
    ["is given where it was known and the policy asks as well", ASK_ALL, true],
  ];
  for (const [name, approvalConfig, isProtected] of cases) {
    it(name, async () => {
      const approved: (boolean | undefined)[] = [];
      const tool = testTool(
        "read_value",
        async (_value, context) => approved.push(context.approved?.protected),
        async () => ({ ...NO_REACH, protected: isProtected }),
      );
      const model = new ScriptedModel([{ call: "read_value", args: {} }], ["done"]);
      const chat = scriptedChat(model, { tools: [tool] });
      await using harness = await createChatHarness({ chat }, { approvalConfig });
      const { socket, threadUuid } = harness;
      await socket.say({
        type: "chat.send",
        id: "t1",
        data: { content: "go", thread_uuid: threadUuid },
      });
      const { data } = await socket.next("tool.approval.request");
      const answer = { approval_id: data.approval_id, decision: "approve" };
      await socket.say({ type: "tool.approval.response", id: "t1", data: answer });
      await socket.next("chat.done");
      assert.deepEqual(approved, [isProtected]);
    });
  }
});
