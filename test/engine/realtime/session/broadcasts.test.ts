import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ChatWorld, createChatWorld } from "../../../support/engine/chat.ts";
import { hello, UUID } from "../../../support/engine/hello.ts";
import type { TestSocket } from "../../../support/engine/socket.ts";

describe("broadcasts", () => {
  const types = (socket: TestSocket) => socket.frames.map(({ type }) => type);

  /** A registered listener, an unregistered one, and the world's own socket. */
  async function audience(world: ChatWorld) {
    const registered = world.connect();
    const unregistered = world.connect();
    await hello(registered);
    registered.frames.length = 0;
    return { registered, unregistered };
  }

  it("of a chat go to registered others alone, uncorrelated, in order", async () => {
    await using world = await createChatWorld();
    const { socket, workspaceUuid } = world;
    const { registered, unregistered } = await audience(world);
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
    await using world = await createChatWorld();
    const { registered } = await audience(world);
    await world.socket.chat("t1", { content: "", thread_uuid: world.threadUuid });
    assert.deepEqual(types(registered), ["message.created"]);
  });

  it("end with the connection of the listener", async () => {
    await using world = await createChatWorld();
    const { registered } = await audience(world);
    await registered.session.close();
    await world.socket.chat("t1", { content: "", thread_uuid: world.threadUuid });
    assert.deepEqual(types(registered), []);
  });

  it("are not sent for changes by REST", async () => {
    await using world = await createChatWorld();
    const { test, workspaceUuid, threadUuid } = world;
    const { registered } = await audience(world);
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
