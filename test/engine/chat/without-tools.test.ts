// Slow: it indexes a folder.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ModelFailure } from "../../../engine/models/language-model.ts";
import { createChatHarness } from "../../support/engine/chat.ts";
import { createTestFolder } from "../../support/engine/files.ts";
import { turnOf } from "../../support/engine/turns.ts";
import { json } from "../../support/http.ts";
import { ScriptedModel, type ScriptedStep, scriptedChat } from "../../support/providers/model.ts";

const NOTES = "# Backups\n\nA backup is made every night at two.\n";
const QUESTION = "When is a backup made?";
const refusal: ScriptedStep = [new ModelFailure("It said no.", { refusesTools: true })];

/** A turn of a model that refuses tools at first. `decision` answers the question whether the search may run. */
async function ask(
  { workspace = {}, data = {}, known = false, decision = "" } = {},
  ...steps: ScriptedStep[]
) {
  await using folder = await createTestFolder({ "notes.md": NOTES });
  const model = new ScriptedModel(...steps);
  let remembered = 0;
  const resolved = {
    refusesTools: () => known,
    noteRefusedTools: () => {
      remembered += 1;
    },
  };
  await using harness = await createChatHarness(
    { chat: scriptedChat(model, { resolved }) },
    { directories: JSON.stringify([folder.path]), ...workspace },
  );
  const { test, socket, threadUuid: thread_uuid, workspaceUuid } = harness;
  await test.call("POST", `/workspaces/${workspaceUuid}/rag/index`);
  const ended = socket.chat("t1", { content: QUESTION, thread_uuid, ...data });
  if (decision !== "") {
    const { data: asked } = await socket.next("tool.approval.request");
    assert.equal(asked.tool_name, "search_workspace_index");
    const { approval_id } = asked;
    await socket.say({ type: "tool.approval.response", data: { approval_id, decision } });
  }
  assert.equal((await ended).type, "chat.done");
  const { uuid } = await turnOf(test);
  const get = async (part: string) => json(await test.call("GET", `/turns/${uuid}/${part}`));
  const request = model.requests.at(-1)!;
  assert.deepEqual(request.tools, []);
  return {
    count: model.requests.length,
    remembered,
    question: request.messages.map((message) => "content" in message && message.content).join(),
    instructions: request.instructions,
    sources: await get("sources"),
    notices: (await get("context")).notices,
    asked: socket.ofType("tool.approval.request").length,
    records: await harness.records(),
  };
}

describe("a model without tools", () => {
  it("is asked again without them, with the passages that a search finds, which is remembered", async () => {
    const turn = await ask({}, refusal, ["At two."]);
    assert.deepEqual([turn.count, turn.remembered, turn.asked], [2, 1, 0]);
    assert.ok(turn.question.includes(`notes.md:1-3\n${NOTES.trimEnd()}`), turn.question);
    assert.ok(turn.question.endsWith(`\n\n${QUESTION}`));
    assert.doesNotMatch(turn.instructions, /tools|search_workspace_index/);
    assert.deepEqual(turn.sources, [
      {
        ...{ rootIndex: 0, path: "notes.md", startLine: 1, endLine: 3 },
        ...{ from: "search", sensitive: false },
      },
    ]);
    assert.match(turn.notices[0], /cannot use tools\. It got the passages/);
    assert.equal(turn.records[0].tool_name, "search_workspace_index");
  });

  it("that is known gets no tools in the first place", async () => {
    const turn = await ask({ known: true }, ["At two."]);
    assert.deepEqual([turn.count, turn.remembered, turn.sources.length], [1, 0, 1]);
  });

  const asks = { workspace: { approvalConfig: null } };
  it("gets passages under a policy that asks only where the user approves the search", async () => {
    const approved = await ask({ ...asks, decision: "approve" }, refusal, ["At two."]);
    assert.deepEqual([approved.asked, approved.sources.length], [1, 1]);
    const denied = await ask({ ...asks, decision: "deny" }, refusal, ["I do not know."]);
    assert.deepEqual([denied.asked, denied.sources, denied.question], [1, [], QUESTION]);
    assert.equal(denied.notices[0], "This model cannot use tools.");
  });

  it("gets none where the search is switched off, and nothing is asked", async () => {
    const tools = { retrieval: { tools: { search_workspace_index: false } } };
    const toolsConfig = JSON.stringify({ builtin: tools });
    const off = await ask({ workspace: { ...asks.workspace, toolsConfig } }, refusal, ["?"]);
    assert.deepEqual([off.asked, off.sources, off.question], [0, [], QUESTION]);
  });

  it("fails with its second error, and nothing is remembered", async () => {
    const model = new ScriptedModel(refusal, [new ModelFailure("Out of memory.")], ["later"]);
    let remembered = 0;
    const noteRefusedTools = () => {
      remembered += 1;
    };
    await using harness = await createChatHarness({
      chat: scriptedChat(model, { resolved: { noteRefusedTools } }),
    });
    const { socket, threadUuid: thread_uuid } = harness;
    const { data } = await socket.chat("t1", { content: "x", thread_uuid });
    assert.deepEqual([data.error, remembered], ["Out of memory.", 0]);
  });
});
