import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createChatHarness } from "../../../support/engine/chat.ts";
import { json } from "../../../support/http.ts";

describe("an implicit thread", () => {
  it("becomes visible with its title and first message, and thread.created comes first", async () => {
    await using harness = await createChatHarness();
    const { socket, workspaceUuid, test } = harness;
    const content = `  ${"word ".repeat(30)}\n`;
    const done = await socket.chat("t1", { content, workspace_uuid: workspaceUuid });
    const threadUuid = done.data.thread_uuid;
    const title = "word ".repeat(12);
    const thread = await json(await test.call("GET", `/threads/${threadUuid}`));
    assert.equal(thread.title, title);
    assert.equal(thread.workspaceUuid, workspaceUuid);
    assert.equal(thread.description, null);
    assert.equal(thread.defaultModelId, null);
    const events = test.publishedEvents();
    assert.deepEqual(
      events.slice(0, 3).map(({ type }) => type),
      ["thread.created", "message.created", "graph.execution"],
    );
    assert.deepEqual(events[0]!.data, { threadId: threadUuid, workspaceId: workspaceUuid, title });
    assert.equal((await harness.stored(threadUuid)).length, 2);
  });

  it("is called New conversation where the text is blank", async () => {
    await using harness = await createChatHarness();
    const { socket, workspaceUuid, test } = harness;
    const done = await socket.chat("t1", { content: " \n\t ", workspace_uuid: workspaceUuid });
    const thread = await json(await test.call("GET", `/threads/${done.data.thread_uuid}`));
    assert.equal(thread.title, "New conversation");
  });

  it("leaves nothing behind where no model resolves", async () => {
    await using harness = await createChatHarness();
    const { socket, workspaceUuid, test } = harness;
    const request = { content: "x", workspace_uuid: workspaceUuid, model_id: "unknown" };
    const error = await socket.chat("t1", request);
    assert.equal(error.type, "chat.error");
    assert.equal(error.data.thread_uuid, null);
    const threads = await json(await test.call("GET", `/workspaces/${workspaceUuid}/threads`));
    assert.equal(threads.length, 1);
    assert.deepEqual(test.publishedEvents(), []);
    assert.equal(socket.frames.length, 1);
  });
});
