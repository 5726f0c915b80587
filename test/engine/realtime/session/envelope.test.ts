import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createChatHarness } from "../../../support/engine/chat.ts";

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
      await using harness = await createChatHarness();
      const { socket } = harness;
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

  it("in a binary frame is always an error", async () => {
    await using harness = await createChatHarness();
    await harness.socket.session.receive(undefined);
    assert.match(harness.socket.frames[0]!.data.error, /Binary/);
  });

  it("may have any v, any further fields, and data that is no object", async () => {
    await using harness = await createChatHarness();
    const { socket } = harness;
    for (const more of [{ v: 2 }, { v: "x" }, { data: [] }, { data: 1 }, { extra: {} }]) {
      await socket.say({ type: "ping", id: "p", ...more });
    }
    assert.equal(socket.frames.length, 5);
    for (const frame of socket.frames) {
      assert.deepEqual(frame, { v: 1, type: "pong", data: null });
      assert.equal("id" in frame, false);
    }
  });

  it("with __proto__ keys changes no prototype", async () => {
    await using harness = await createChatHarness();
    const { socket } = harness;
    await socket.say('{"type":"ping","__proto__":{"polluted":1},"data":{"__proto__":{"a":1}}}');
    await socket.say(
      '{"type":"chat.send","data":{"__proto__":{"content":"x"},"workspace_uuid":"w"}}',
    );
    assert.equal(socket.frames[0]!.type, "pong");
    assert.equal(({} as { polluted?: number }).polluted, undefined);
    assert.match((await socket.next("chat.error")).data.error, /content: is required/);
  });

  it("survives any JSON and any text: a frame is answered or ignored, never a crash", async () => {
    await using harness = await createChatHarness();
    const { socket } = harness;
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
    await using harness = await createChatHarness();
    const { socket, threadUuid: thread_uuid } = harness;
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
