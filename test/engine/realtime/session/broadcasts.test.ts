import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type ChatHarness,
  createChatHarness,
  hello,
  type TestSocket,
  UUID,
} from "../../../support/engine/chat.ts";

describe("broadcasts", () => {
  const types = (socket: TestSocket) => socket.frames.map(({ type }) => type);

  /** A registered listener, an unregistered one, and the harness's own socket. */
  async function audience(harness: ChatHarness) {
    const registered = harness.connect();
    const unregistered = harness.connect();
    await hello(registered);
    registered.frames.length = 0;
    return { registered, unregistered };
  }

  it("of a chat go to registered others alone, uncorrelated, in order", async () => {
    await using harness = await createChatHarness();
    const { socket, workspaceUuid } = harness;
    const { registered, unregistered } = await audience(harness);
    await hello(socket);
    socket.frames.length = 0;
    const done = await socket.chat("t1", { content: "hi", workspace_uuid: workspaceUuid });
    const threadId = done.data.thread_uuid;
    assert.deepEqual(types(registered), ["thread.created", "message.created", "message.created"]);
    const [created, user, assistant] = registered.frames;
    assert.deepEqual(created, {
      v: 1,
      type: "thread.created",
      data: { threadId, workspaceId: workspaceUuid, title: "hi" },
    });
    const { messageId } = user!.data;
    assert.match(messageId, UUID);
    assert.deepEqual(user!.data, { messageId, threadId, role: "user", content: "hi" });
    assert.equal(assistant!.data.role, "assistant");
    assert.deepEqual(types(unregistered), []);
    assert.ok(!types(socket).includes("message.created"));
    assert.ok(!types(socket).includes("thread.created"));
  });

  it("are sent by unregistered connections, too", async () => {
    await using harness = await createChatHarness();
    const { registered } = await audience(harness);
    await harness.socket.chat("t1", { content: "", thread_uuid: harness.threadUuid });
    assert.deepEqual(types(registered), ["message.created"]);
  });

  it("end with the connection of the listener", async () => {
    await using harness = await createChatHarness();
    const { registered } = await audience(harness);
    await registered.session.close();
    await harness.socket.chat("t1", { content: "", thread_uuid: harness.threadUuid });
    assert.deepEqual(types(registered), []);
  });

  it("are not sent for changes by REST", async () => {
    await using harness = await createChatHarness();
    const { test, workspaceUuid, threadUuid } = harness;
    const { registered } = await audience(harness);
    await test.call("POST", "/messages", { threadUuid, role: "user", content: "x" });
    await test.call("POST", "/threads", { workspaceUuid });
    await test.call("PUT", `/threads/${threadUuid}`, { title: "t" });
    await test.call("DELETE", `/threads/${threadUuid}`);
    await test.call("DELETE", `/workspaces/${workspaceUuid}`);
    assert.deepEqual(types(registered), []);
    assert.deepEqual(
      test.publishedEvents().map(({ type }) => type),
      ["message.created", "thread.created", "thread.updated"],
    );
  });
});
