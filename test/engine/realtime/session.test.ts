import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type ChatWorld, createChatWorld } from "../../support/engine/chat.ts";
import type { TestSocket } from "../../support/engine/socket.ts";
import { json } from "../../support/json.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function hello(socket: TestSocket, data: unknown = {}) {
  await socket.say({ type: "client.hello", data });
  return socket.frames.at(-1)!;
}

describe("the envelope", () => {
  const refused = [
    ["a missing type", "{}", /^Unknown frame type:/],
    ["a type that is null", '{"type":null}', /^Unknown frame type:/],
    ["a type that is a number", '{"type":1}', /^Unknown frame type:/],
    ["an unknown type", '{"type":"frobnicate","id":"x"}', /^Unknown frame type: frobnicate$/],
    ["an empty type", '{"type":""}', /^Unknown frame type:/],
    ["a type in another case", '{"type":"PING"}', /^Unknown frame type: PING$/],
    ["an outbound type", '{"type":"pong"}', /^Unknown frame type: pong$/],
    ["a type of Object's", '{"type":"__proto__"}', /^Unknown frame type: __proto__$/],
    ["another one", '{"type":"constructor"}', /^Unknown frame type: constructor$/],
    ["a type of a megabyte", `{"type":"${"x".repeat(1_000_000)}"}`, /^Unknown frame type: x{100}$/],
    ["no JSON", "{type:ping}", /not valid JSON/],
    ["nothing", "", /not valid JSON/],
    ["an array", '[{"type":"ping"}]', /must be a JSON object/],
    ["a string", '"ping"', /must be a JSON object/],
    ["a long id", `{"type":"ping","id":"${"x".repeat(1025)}"}`, /id .* at most 1024 characters/],
    [
      "an id that is slow to read",
      JSON.stringify({ type: "chat.send", data: {}, id: "-eyJaaaaaaaaaaa".repeat(1_000_000) }),
      /id .* at most 1024 characters/,
    ],
    ["null", "null", /must be a JSON object/],
    ["deep nesting", `${"[".repeat(100_000)}${"]".repeat(100_000)}`, /must be a JSON object/],
    ["endless nesting", "[".repeat(1_000_000), /not valid JSON/],
  ] as const;
  for (const [name, text, error] of refused) {
    it(`with ${name} is an uncorrelated error, and the connection stays open`, async () => {
      await using world = await createChatWorld();
      const { socket } = world;
      await socket.say(text);
      await socket.say({ type: "ping" });
      const [frame, pong] = socket.frames;
      assert.deepEqual(Object.keys(frame!), ["v", "type", "data"]);
      assert.equal(frame!.type, "error");
      assert.match(frame!.data.error, error);
      assert.equal(pong!.type, "pong");
      assert.equal(socket.closed, undefined);
    });
  }

  it("in a binary frame is an error, whatever it says", async () => {
    await using world = await createChatWorld();
    await world.socket.session.receive(undefined);
    assert.match(world.socket.frames[0]!.data.error, /Binary/);
  });

  it("may have any v, any further fields, and data that is no object", async () => {
    await using world = await createChatWorld();
    const { socket } = world;
    for (const more of [{ v: 2 }, { v: "x" }, { data: [] }, { data: 1 }, { extra: {} }]) {
      await socket.say({ type: "ping", id: "p", ...more });
    }
    assert.equal(socket.frames.length, 5);
    for (const frame of socket.frames) {
      assert.deepEqual(frame, { v: 1, type: "pong", data: null });
      assert.equal("id" in frame, false);
    }
  });

  it("with __proto__ keys changes nobody's prototype", async () => {
    await using world = await createChatWorld();
    const { socket } = world;
    await socket.say('{"type":"ping","__proto__":{"polluted":1},"data":{"__proto__":{"a":1}}}');
    await socket.say(
      '{"type":"chat.send","data":{"__proto__":{"content":"x"},"workspace_uuid":"w"}}',
    );
    assert.equal(socket.frames[0]!.type, "pong");
    assert.equal(({} as { polluted?: number }).polluted, undefined);
    assert.match((await socket.next("chat.error")).data.error, /content: is required/);
  });

  it("survives any JSON and any text: a frame is answered or ignored, never a crash", async () => {
    await using world = await createChatWorld();
    const { socket } = world;
    const types = [
      "client.hello",
      "ping",
      "chat.cancel",
      "chat.notification",
      "tool.approval.response",
      "tool.register",
      "tool.unregister",
      "client.tool.result",
      "profile.set",
      "tool.result",
    ];
    const data = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(
        fc.constantFrom("clientId", "tools", "id", "approval_id", "request_id", "ok", "content"),
        fc.jsonValue(),
      ),
    );
    const frame = fc.oneof(
      fc.string(),
      fc.json(),
      fc.record({ type: fc.constantFrom(...types), id: fc.jsonValue(), data }),
    );
    await fc.assert(
      fc.asyncProperty(frame, async (given) => {
        await socket.say(given);
        await socket.say({ type: "ping" });
        assert.equal(socket.frames.at(-1)!.type, "pong");
        assert.ok(
          socket.frames.every(({ data }) => data?.error !== "Internal server error."),
          JSON.stringify(given),
        );
        socket.frames.length = 0;
      }),
      { numRuns: 300 },
    );
  });

  it("is handled in order: what follows a notification is answered after it", async () => {
    await using world = await createChatWorld();
    const { socket, threadUuid: thread_uuid } = world;
    const notify = { type: "chat.notification", id: "n", data: { content: "x", thread_uuid } };
    await Promise.all([
      socket.say(notify),
      socket.say({ type: "ping" }),
      socket.say(notify),
      socket.say({ type: "nope" }),
    ]);
    assert.deepEqual(
      socket.frames.map(({ type }) => type),
      ["chat.notification.done", "pong", "chat.notification.done", "error"],
    );
  });
});

describe("the placeholders", () => {
  for (const type of ["profile.set", "tool.result"]) {
    it(`accept ${type} without a word`, async () => {
      await using world = await createChatWorld();
      for (const data of [{}, null, [], { anything: 1 }]) await world.socket.say({ type, data });
      assert.deepEqual(world.socket.frames, []);
    });
  }
});

describe("tool.register", () => {
  const register = (socket: TestSocket, data: unknown) =>
    socket.say({ type: "tool.register", id: "r", data });

  it("accepts the five UI tools without a word, once or twice", async () => {
    await using world = await createChatWorld();
    const { socket } = world;
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
      await using world = await createChatWorld();
      const { socket } = world;
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
    await using world = await createChatWorld();
    await world.socket.say({ type: "tool.unregister", data: {} });
    assert.equal(world.socket.frames[0]!.type, "error");
  });
});

describe("client.hello", () => {
  it("is acknowledged with the id asked for, or a made up one; never correlated", async () => {
    await using world = await createChatWorld();
    const named = await hello(world.socket, { clientId: "tray", clientName: "Tray" });
    assert.deepEqual(named, { v: 1, type: "client.hello.ack", data: { clientId: "tray" } });
    const none = [{}, { clientId: null }, { clientId: " " }, { clientName: 7 }, null];
    for (const data of none) {
      const ack = await hello(world.connect(), data);
      assert.equal(ack.type, "client.hello.ack");
      assert.match(ack.data.clientId, UUID);
    }
  });

  it("is rejected where the id belongs to another connection; the socket stays open", async () => {
    await using world = await createChatWorld();
    const other = world.connect();
    await hello(world.socket, { clientId: "a" });
    const reject = await hello(other, { clientId: "a" });
    assert.deepEqual(Object.keys(reject), ["v", "type", "data"]);
    assert.equal(reject.type, "client.hello.reject");
    assert.deepEqual(Object.keys(reject.data), ["reason"]);
    assert.equal(other.closed, undefined);
    assert.equal((await hello(other, { clientId: "b" })).type, "client.hello.ack");
  });

  for (const clientId of [1, {}, ["a"], "x".repeat(257)]) {
    it(`is rejected where the id is ${JSON.stringify(clientId).slice(0, 20)}`, async () => {
      await using world = await createChatWorld();
      assert.equal((await hello(world.socket, { clientId })).type, "client.hello.reject");
    });
  }

  it("again: the own id is acknowledged, a free one replaces it, a taken one changes nothing", async () => {
    await using world = await createChatWorld();
    const { socket } = world;
    const other = world.connect();
    await hello(other, { clientId: "taken" });
    await hello(socket, { clientId: "a" });
    assert.equal((await hello(socket, { clientId: "a" })).data.clientId, "a");
    assert.equal((await hello(socket, { clientId: "taken" })).type, "client.hello.reject");
    assert.equal((await hello(world.connect(), { clientId: "a" })).type, "client.hello.reject");
    assert.equal((await hello(socket, {})).data.clientId, "a");
    assert.equal((await hello(socket, { clientId: "b" })).data.clientId, "b");
    assert.equal((await hello(world.connect(), { clientId: "a" })).type, "client.hello.ack");
  });

  it("releases its id with the connection", async () => {
    await using world = await createChatWorld();
    await hello(world.socket, { clientId: "a" });
    await world.socket.session.close();
    assert.equal((await hello(world.connect(), { clientId: "a" })).type, "client.hello.ack");
  });
});

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

  it("come from unregistered connections, too", async () => {
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

  it("are not made of what REST does", async () => {
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

describe("chat.notification", () => {
  const notify = (
    socket: TestSocket,
    data: unknown,
    more: Record<string, unknown> = { id: "n1" },
  ) => socket.say({ type: "chat.notification", data, ...more });

  it("stores a system message, publishes and broadcasts it, runs no agent", async () => {
    await using world = await createChatWorld();
    const { socket, threadUuid: thread_uuid, test } = world;
    const before = await json(await test.call("GET", `/threads/${thread_uuid}`));
    const other = world.connect();
    await hello(other);
    test.deps.clock.advance(1_000);
    await notify(socket, { content: "  note ", thread_uuid });
    const messages = await json(await test.call("GET", `/threads/${thread_uuid}/messages`));
    assert.deepEqual(
      messages.map(({ role, content }: { role: string; content: string }) => [role, content]),
      [["system", "  note "]],
    );
    const message_uuid = messages[0].uuid;
    assert.deepEqual(socket.frames, [
      { v: 1, type: "chat.notification.done", id: "n1", data: { thread_uuid, message_uuid } },
    ]);
    const data = {
      messageId: message_uuid,
      threadId: thread_uuid,
      role: "system",
      content: "  note ",
    };
    const events = test.publishedEvents();
    assert.deepEqual(
      events.map(({ type, data }) => ({ type, data })),
      [{ type: "message.created", data }],
    );
    assert.deepEqual(other.frames.at(-1), { v: 1, type: "message.created", data });
    const after = await json(await test.call("GET", `/threads/${thread_uuid}`));
    assert.ok(after.updatedAt > before.updatedAt);
  });

  it("makes up an id where none came", async () => {
    await using world = await createChatWorld();
    const { socket, threadUuid: thread_uuid } = world;
    await notify(socket, { content: "x", thread_uuid }, {});
    await notify(socket, { content: "x" }, {});
    assert.match(socket.frames[0]!.id!, UUID);
    assert.match(socket.frames[1]!.id!, UUID);
  });

  const refused = [
    ["a blank content", { content: " \n", thread_uuid: "T" }, /content: must not be blank/],
    ["an empty content", { content: "", thread_uuid: "T" }, /content/],
    ["a content that is no string", { content: 1, thread_uuid: "T" }, /content: must be a string/],
    ["no content", { thread_uuid: "T" }, /content: is required/],
    ["no thread", { content: "x" }, /thread_uuid: is required/],
    ["a thread that is no string", { content: "x", thread_uuid: null }, /thread_uuid/],
    ["an unknown thread", { content: "x", thread_uuid: "nobody" }, /^Thread not found\.$/],
    ["no data", null, /content: is required/],
  ] as const;
  for (const [name, data, error] of refused) {
    it(`with ${name} is a correlated chat.notification.error and stores nothing`, async () => {
      await using world = await createChatWorld();
      const { socket, test, threadUuid } = world;
      const given = JSON.parse(JSON.stringify(data).replace('"T"', `"${threadUuid}"`));
      await notify(socket, given);
      const [frame] = socket.frames;
      assert.equal(socket.frames.length, 1);
      assert.equal(frame!.type, "chat.notification.error");
      assert.equal(frame!.id, "n1");
      assert.deepEqual(Object.keys(frame!.data), ["error"]);
      assert.match(frame!.data.error, error);
      assert.deepEqual(test.publishedEvents(), []);
      assert.deepEqual(await world.stored(), []);
    });
  }
});
