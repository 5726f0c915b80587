import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ModelPart } from "../../../engine/models/language-model.ts";
import { ModelFailure } from "../../../engine/models/language-model.ts";
import { createChatWorld } from "../../support/engine/chat.ts";
import { type ReceivedFrame, TestSocket } from "../../support/engine/socket.ts";
import { json } from "../../support/json.ts";
import { ScriptedModel, scriptedChat, testTool } from "../../support/providers/model.ts";

const graph = (frames: ReceivedFrame[]) =>
  frames.map(({ type, data }) => (type === "agui.event" ? data.type : type));

const NO_UUID = "00000000-0000-4000-8000-000000000000";

describe("a chat turn with echo", () => {
  it("sends its frames in the order of the specification, all correlated", async () => {
    await using world = await createChatWorld();
    const { socket, threadUuid } = world;
    await socket.chat("t1", { content: "one two three four five", thread_uuid: threadUuid });
    assert.deepEqual(graph(socket.frames), [
      "run.started",
      "node.started",
      "model.delta",
      "model.delta",
      "node.completed",
      "run.completed",
      "chat.delta",
      "chat.done",
    ]);
    for (const frame of socket.frames) {
      assert.equal(frame.v, 1);
      assert.equal(frame.id, "t1");
      assert.equal(frame.data.thread_uuid, threadUuid);
    }
    const [started, node, first, second, completed, ended, delta, done] = socket.frames;
    const { run_id } = started!.data;
    const thread_uuid = threadUuid;
    assert.deepEqual(started!.data, { thread_uuid, type: "run.started", run_id, graph_id: "chat" });
    assert.deepEqual(node!.data, { thread_uuid, type: "node.started", node_id: "model" });
    assert.deepEqual(first!.data, {
      thread_uuid,
      type: "model.delta",
      node_id: "model",
      delta: "one two three ",
    });
    assert.equal(second!.data.delta, "four five");
    assert.deepEqual(completed!.data, { thread_uuid, type: "node.completed", node_id: "model" });
    assert.deepEqual(ended!.data, { thread_uuid, type: "run.completed", run_id });
    assert.deepEqual(delta!.data, { thread_uuid, delta: "one two three four five" });
    assert.deepEqual(done!.data, { thread_uuid });
    assert.deepEqual(await world.stored(), [
      ["user", "one two three four five"],
      ["assistant", "one two three four five"],
    ]);
  });

  it("publishes the same activity as graph.execution, between the messages", async () => {
    await using world = await createChatWorld();
    const { socket, threadUuid, test } = world;
    await socket.chat("t1", { content: "hello", thread_uuid: threadUuid });
    const events = test.publishedEvents();
    assert.deepEqual(
      events.map(({ type, data }) => (type === "graph.execution" ? data.type : type)),
      [
        "message.created",
        "run.started",
        "node.started",
        "model.delta",
        "node.completed",
        "run.completed",
        "message.created",
      ],
    );
    const activity = events.filter(({ type }) => type === "graph.execution");
    const sent = socket.frames.filter(({ type }) => type === "agui.event");
    assert.deepEqual(
      activity.map(({ data }) => data),
      sent.map(({ data }) => data),
    );
    const [user, assistant] = events.filter(({ type }) => type === "message.created");
    const messages = await json(await test.call("GET", `/threads/${threadUuid}/messages`));
    assert.deepEqual(user!.data, {
      messageId: messages[0].uuid,
      threadId: threadUuid,
      role: "user",
      content: "hello",
    });
    assert.equal(assistant!.data.messageId, messages[1].uuid);
    assert.equal(assistant!.data.role, "assistant");
  });

  it("stores before it publishes: whoever sees an event can read what it speaks of", async () => {
    await using world = await createChatWorld();
    const { socket, threadUuid, test } = world;
    const reads: Promise<void>[] = [];
    test.deps.events.subscribe((item) => {
      const { type, data } = JSON.parse(new TextDecoder().decode(item).slice(6));
      if (type !== "message.created") return;
      reads.push(
        test.call("GET", `/threads/${threadUuid}/messages`).then(async (response) => {
          const uuids = (await json(response)).map(({ uuid }: { uuid: string }) => uuid);
          assert.ok(uuids.includes(data.messageId));
        }),
      );
    });
    await socket.chat("t1", { content: "hello", thread_uuid: threadUuid });
    assert.equal(reads.length, 2);
    await Promise.all(reads);
  });

  it("goes straight to chat.done where the answer is empty, and stores none", async () => {
    await using world = await createChatWorld();
    const { socket, threadUuid } = world;
    await socket.chat("t1", { content: "", thread_uuid: threadUuid });
    assert.deepEqual(graph(socket.frames), [
      "run.started",
      "node.started",
      "node.completed",
      "run.completed",
      "chat.done",
    ]);
    assert.deepEqual(await world.stored(), [["user", ""]]);
  });

  it("answers exactly the content, whatever characters it has", async () => {
    await using world = await createChatWorld();
    const { socket, threadUuid } = world;
    const content = "  \u00e4\n\n 👩‍👩‍👧‍👦 \u0000 \u2028 '\"\\ <b>  ";
    await socket.chat("t1", { content, thread_uuid: threadUuid });
    const deltas = socket.frames.filter(({ data }) => data.type === "model.delta");
    assert.equal(deltas.map(({ data }) => data.delta).join(""), content);
    assert.equal(socket.ofType("chat.delta")[0]!.data.delta, content);
    assert.deepEqual(await world.stored(), [
      ["user", content],
      ["assistant", content],
    ]);
  });

  it("makes half characters whole, the same in storage, events and frames", async () => {
    await using world = await createChatWorld();
    const { socket, threadUuid, test } = world;
    await socket.chat("t1", { content: "a\ud800b", thread_uuid: threadUuid });
    assert.equal(socket.ofType("chat.delta")[0]!.data.delta, "a\ufffdb");
    assert.equal(test.publishedEvents()[0]!.data.content, "a\ufffdb");
    assert.equal((await world.stored())[0]![1], "a\ufffdb");
  });

  it("makes up an id where none came, the same in all frames of the turn", async () => {
    await using world = await createChatWorld();
    const { socket, threadUuid: thread_uuid } = world;
    for (const id of [undefined, null, 7, ""]) {
      socket.frames.length = 0;
      await socket.say({ type: "chat.send", id, data: { content: "x", thread_uuid } });
      while (!socket.frames.some(({ type }) => type === "chat.done")) {
        await new Promise(setImmediate);
      }
      const ids = new Set(socket.frames.map((frame) => frame.id));
      assert.equal(ids.size, 1);
      assert.match(String([...ids][0]), /^[0-9a-f-]{36}$/);
    }
  });

  it("moves updatedAt of its thread", async () => {
    await using world = await createChatWorld();
    const { socket, threadUuid, test } = world;
    const before = await json(await test.call("GET", `/threads/${threadUuid}`));
    test.deps.clock.advance(5_000);
    await socket.chat("t1", { content: "x", thread_uuid: threadUuid });
    const after = await json(await test.call("GET", `/threads/${threadUuid}`));
    assert.ok(after.updatedAt > before.updatedAt);
  });

  it("is idle in the tick of its terminal frame: the next send from there is a turn", async () => {
    await using world = await createChatWorld();
    const { socket, threadUuid: thread_uuid } = world;
    socket.onFrame = ({ type, id }) => {
      if (type !== "chat.done" || id !== "t1") return;
      void socket.say({ type: "chat.send", id: "t2", data: { content: "2", thread_uuid } });
    };
    await socket.chat("t1", { content: "1", thread_uuid });
    assert.equal((await socket.ended("t2")).type, "chat.done");
    assert.equal(socket.ofType("error").length, 0);
  });
});

describe("an implicit thread", () => {
  it("becomes visible with its title and first message, and thread.created comes first", async () => {
    await using world = await createChatWorld();
    const { socket, workspaceUuid, test } = world;
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
    assert.equal((await world.stored(threadUuid)).length, 2);
  });

  it("is called New conversation where the text is blank", async () => {
    await using world = await createChatWorld();
    const { socket, workspaceUuid, test } = world;
    const done = await socket.chat("t1", { content: " \n\t ", workspace_uuid: workspaceUuid });
    const thread = await json(await test.call("GET", `/threads/${done.data.thread_uuid}`));
    assert.equal(thread.title, "New conversation");
  });

  it("leaves nothing behind where no model resolves", async () => {
    await using world = await createChatWorld();
    const { socket, workspaceUuid, test } = world;
    const request = { content: "x", workspace_uuid: workspaceUuid, model_id: "nobody" };
    const error = await socket.chat("t1", request);
    assert.equal(error.type, "chat.error");
    assert.equal(error.data.thread_uuid, null);
    const threads = await json(await test.call("GET", `/workspaces/${workspaceUuid}/threads`));
    assert.equal(threads.length, 1);
    assert.deepEqual(test.publishedEvents(), []);
    assert.equal(socket.frames.length, 1);
  });
});

describe("the target of a turn", () => {
  const unknown = [
    ["thread", { thread_uuid: NO_UUID }, "Thread not found.", NO_UUID],
    ["thread by a name that is no uuid", { thread_uuid: "" }, "Thread not found.", ""],
    ["workspace", { workspace_uuid: NO_UUID }, "Workspace not found.", null],
  ] as const;
  for (const [name, target, error, thread_uuid] of unknown) {
    it(`is a chat.error where it is an unknown ${name}`, async () => {
      await using world = await createChatWorld();
      const { socket, test } = world;
      const ended = await socket.chat("t1", { content: "x", ...target });
      assert.deepEqual(ended, { v: 1, type: "chat.error", id: "t1", data: { thread_uuid, error } });
      assert.equal(socket.frames.length, 1);
      assert.deepEqual(test.publishedEvents(), []);
    });
  }

  it("stores no user message on an existing thread where no model resolves", async () => {
    await using world = await createChatWorld();
    const { socket, threadUuid, test } = world;
    const ended = await socket.chat("t1", {
      content: "x",
      thread_uuid: threadUuid,
      model_id: "nobody",
    });
    assert.equal(ended.type, "chat.error");
    assert.equal(ended.data.thread_uuid, threadUuid);
    assert.deepEqual(await world.stored(), []);
    assert.deepEqual(test.publishedEvents(), []);
  });

  it("is a chat.error where its thread goes away before the user message is stored", async () => {
    const model = new ScriptedModel(["never"]);
    const ports = scriptedChat(model);
    let remove = async () => {};
    await using world = await createChatWorld({
      chat: {
        ...ports,
        resolveModel: async (...input) => {
          await remove();
          return ports.resolveModel(...input);
        },
      },
    });
    const { socket, threadUuid, test } = world;
    remove = async () => {
      await test.call("DELETE", `/threads/${threadUuid}`);
    };
    const ended = await socket.chat("t1", { content: "x", thread_uuid: threadUuid });
    assert.equal(ended.data.error, "The thread was deleted.");
    assert.equal(model.requests.length, 0);
    assert.deepEqual(test.publishedEvents(), []);
  });

  it("is a chat.error where its thread goes away while the model speaks", async () => {
    let remove = async () => {};
    const model = new ScriptedModel(async function* (): AsyncIterable<ModelPart> {
      await remove();
      yield { type: "delta", text: "late" };
      yield { type: "end", usage: undefined };
    });
    await using world = await createChatWorld({ chat: scriptedChat(model) });
    const { socket, threadUuid, test } = world;
    remove = async () => {
      await test.call("DELETE", `/threads/${threadUuid}`);
    };
    const ended = await socket.chat("t1", { content: "x", thread_uuid: threadUuid });
    assert.equal(ended.type, "chat.error");
    assert.equal(ended.data.error, "The thread was deleted.");
    assert.equal(socket.ofType("chat.delta").length, 0);
  });
});

describe("the model of a turn", () => {
  it("is chosen by frame, thread, workspace and echo, and the resolved id is written", async () => {
    await using world = await createChatWorld();
    const { socket, threadUuid, workspaceUuid, test } = world;
    const defaultModel = async () =>
      (await json(await test.call("GET", `/threads/${threadUuid}`))).defaultModelId;
    await socket.chat("t1", { content: "x", thread_uuid: threadUuid });
    assert.equal(await defaultModel(), null);
    await socket.chat("t2", { content: "x", thread_uuid: threadUuid, model_id: "echo" });
    assert.equal(await defaultModel(), "echo");
    const done = await socket.chat("t3", {
      content: "x",
      workspace_uuid: workspaceUuid,
      model_id: "echo",
    });
    const thread = await json(await test.call("GET", `/threads/${done.data.thread_uuid}`));
    assert.equal(thread.defaultModelId, "echo");
    assert.equal(test.publishedEvents().filter(({ type }) => type === "thread.updated").length, 0);
  });

  it("that a default names and that does not exist is a chat.error, never a fallback", async () => {
    await using world = await createChatWorld({}, { defaultModelId: "gone too" });
    const { socket, threadUuid: thread_uuid, workspaceUuid, test } = world;
    const fails = async (target: Record<string, string>) => {
      const error = await socket.chat(crypto.randomUUID(), { content: "x", ...target });
      assert.equal(error.type, "chat.error");
    };
    await fails({ thread_uuid });
    await fails({ workspace_uuid: workspaceUuid });
    await test.call("PUT", `/threads/${thread_uuid}`, { defaultModelId: "gone" });
    await fails({ thread_uuid });
    assert.deepEqual(await world.stored(), []);
    const done = await socket.chat("t", { content: "x", thread_uuid, model_id: "echo" });
    assert.equal(done.type, "chat.done");
  });

  it("gets the three candidates in order", async () => {
    const asked: unknown[] = [];
    const ports = scriptedChat(new ScriptedModel([], []));
    await using world = await createChatWorld(
      {
        chat: {
          ...ports,
          resolveModel: async (deps, choice) => {
            asked.push(choice);
            return { ...(await ports.resolveModel(deps, choice)), persist: "m3" };
          },
        },
      },
      { defaultModelId: "m1" },
    );
    const { socket, threadUuid, test } = world;
    await test.call("PUT", `/threads/${threadUuid}`, { defaultModelId: "m2" });
    await socket.chat("t1", { content: "x", thread_uuid: threadUuid, model_id: "m0" });
    await socket.chat("t2", { content: "x", thread_uuid: threadUuid, model_id: null });
    assert.deepEqual(asked, [
      { requested: "m0", threadDefault: "m2", workspaceDefault: "m1" },
      { requested: null, threadDefault: "m3", workspaceDefault: "m1" },
    ]);
  });
});

describe("a turn that fails", () => {
  const failures = [
    ["a model failure", new ModelFailure("The provider said 401."), "The provider said 401."],
    ["an unexpected fault", new Error("secret detail"), "Internal server error."],
    ["a model failure that quotes a key", new ModelFailure("bad sk-abcdefgh12345"), /bad \[red/],
  ] as const;
  for (const [name, failure, text] of failures) {
    it(`by ${name} says run.failed, then chat.error, and keeps the user message`, async () => {
      const model = new ScriptedModel(["some text ", failure], ["fine"]);
      await using world = await createChatWorld({ chat: scriptedChat(model) });
      const { socket, threadUuid: thread_uuid } = world;
      const error = await socket.chat("t1", { content: "x", thread_uuid });
      assert.deepEqual(graph(socket.frames), [
        "run.started",
        "node.started",
        "model.delta",
        "run.failed",
        "chat.error",
      ]);
      assert.match(error.data.error, typeof text === "string" ? new RegExp(`^${text}$`) : text);
      assert.equal(socket.frames.at(-2)!.data.error, error.data.error);
      assert.equal(error.data.thread_uuid, thread_uuid);
      assert.deepEqual(await world.stored(), [["user", "x"]]);
      assert.equal((await socket.chat("t2", { content: "y", thread_uuid })).type, "chat.done");
      assert.deepEqual(model.requests[1]!.messages, [
        { role: "user", content: "x" },
        { role: "user", content: "y" },
      ]);
    });
  }

  it("in the middle of a burst sends nothing of the rest after its end", async () => {
    const burst = Array.from({ length: 100 }, (_, at) => `${at} `);
    const model = new ScriptedModel([...burst, new ModelFailure("broken")]);
    await using world = await createChatWorld({ chat: scriptedChat(model) });
    const { socket, threadUuid: thread_uuid, test } = world;
    await socket.chat("t1", { content: "x", thread_uuid });
    const frames = socket.frames.length;
    test.publishedEvents();
    for (let at = 0; at < 5; at += 1) await new Promise(setImmediate);
    assert.equal(socket.frames.length, frames);
    assert.deepEqual(test.publishedEvents(), []);
  });

  it("or ends in any other way has an aborted signal: nothing of it goes on", async () => {
    const signals: AbortSignal[] = [];
    const step = (failure?: Error) =>
      async function* (_request: unknown, signal: AbortSignal): AsyncIterable<ModelPart> {
        signals.push(signal);
        if (failure) throw failure;
        yield { type: "end", usage: undefined };
      };
    const model = new ScriptedModel(step(), step(new ModelFailure("broken")));
    await using world = await createChatWorld({ chat: scriptedChat(model) });
    const { socket, threadUuid: thread_uuid } = world;
    await socket.chat("t1", { content: "x", thread_uuid });
    await socket.chat("t2", { content: "x", thread_uuid });
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, true],
    );
  });

  it("by a model that cannot be opened ends in the same way", async () => {
    const open = () => Promise.reject(new ModelFailure("The region is missing."));
    await using world = await createChatWorld({
      chat: scriptedChat(new ScriptedModel(), { resolved: { open } }),
    });
    const { socket, threadUuid: thread_uuid } = world;
    const error = await socket.chat("t1", { content: "x", thread_uuid });
    assert.deepEqual(graph(socket.frames), ["run.started", "run.failed", "chat.error"]);
    assert.equal(error.data.error, "The region is missing.");
    assert.deepEqual(await world.stored(), [["user", "x"]]);
  });

  const malformed = [
    ["toolsConfig of the workspace", { toolsConfig: "[]" }, {}],
    ["toolsConfig of the thread", {}, { toolsConfig: "{" }],
  ] as const;
  for (const [name, workspace, thread] of malformed) {
    it(`by a malformed ${name}`, async () => {
      await using world = await createChatWorld({}, workspace);
      const { socket, threadUuid: thread_uuid, test } = world;
      await test.call("PUT", `/threads/${thread_uuid}`, thread);
      const error = await socket.chat("t1", { content: "x", thread_uuid });
      assert.equal(error.type, "chat.error");
      assert.match(error.data.error, /toolsConfig/);
      assert.deepEqual(await world.stored(), [["user", "x"]]);
    });
  }

  it("by malformed skills says whose they are", async () => {
    await using world = await createChatWorld();
    const { socket, threadUuid: thread_uuid, test } = world;
    await test.call("PUT", `/threads/${thread_uuid}/policy`, { skillsConfig: "nonsense" });
    const error = await socket.chat("t1", { content: "x", thread_uuid });
    assert.match(error.data.error, /skillsConfig of the thread/);
  });
});

describe("cancel", () => {
  /** A model that speaks, then waits until the turn is stopped. */
  const hanging = (...texts: string[]) =>
    async function* (): AsyncIterable<ModelPart> {
      for (const text of texts) yield { type: "delta", text };
      await new Promise(() => {});
    };

  const ways = [
    ["its envelope id", { id: "t1" }],
    ["data.turn_id", { data: { turn_id: "t1" } }],
    ["its envelope id, whatever data.turn_id says", { id: "t1", data: { turn_id: "other" } }],
  ] as const;
  for (const [name, frame] of ways) {
    it(`by ${name} ends the turn, even of a model that ignores its signal`, async () => {
      const model = new ScriptedModel(hanging("partial "), ["fine"]);
      await using world = await createChatWorld({ chat: scriptedChat(model) });
      const { socket, threadUuid: thread_uuid } = world;
      await socket.say({ type: "chat.send", id: "t1", data: { content: "x", thread_uuid } });
      while (!graph(socket.frames).includes("model.delta")) await new Promise(setImmediate);
      await socket.say({ type: "chat.cancel", ...frame });
      const ended = await socket.ended("t1");
      assert.deepEqual(ended, { v: 1, type: "chat.cancelled", id: "t1", data: { thread_uuid } });
      assert.deepEqual(graph(socket.frames).slice(-2), ["run.aborted", "chat.cancelled"]);
      assert.deepEqual(await world.stored(), [["user", "x"]]);
      assert.equal((await socket.chat("t2", { content: "y", thread_uuid })).type, "chat.done");
      assert.equal(socket.frames.filter(({ id }) => id === "t1").at(-1)!.type, "chat.cancelled");
    });
  }

  const misses = [
    ["another id", { id: "t0" }],
    ["another turn_id", { data: { turn_id: "t0" } }],
    ["another id though data.turn_id matches", { id: "t0", data: { turn_id: "t1" } }],
    ["no id", {}],
    ["a turn_id that is no string", { data: { turn_id: 1 } }],
  ] as const;
  for (const [name, frame] of misses) {
    it(`with ${name} is silent and ends nothing`, async () => {
      const model = new ScriptedModel(hanging("partial "));
      await using world = await createChatWorld({ chat: scriptedChat(model) });
      const { socket, threadUuid: thread_uuid } = world;
      await socket.say({ type: "chat.send", id: "t1", data: { content: "x", thread_uuid } });
      while (!graph(socket.frames).includes("model.delta")) await new Promise(setImmediate);
      const before = socket.frames.length;
      await socket.say({ type: "chat.cancel", ...frame });
      await socket.say({ type: "ping" });
      assert.deepEqual(
        socket.frames.slice(before).map(({ type }) => type),
        ["pong"],
      );
      await socket.say({ type: "chat.cancel", id: "t1" });
      assert.equal((await socket.ended("t1")).type, "chat.cancelled");
    });
  }

  it("while idle is silent", async () => {
    await using world = await createChatWorld();
    const { socket } = world;
    await socket.say({ type: "chat.cancel", id: "t1" });
    assert.deepEqual(socket.frames, []);
  });

  const late = [
    ["run.failed", [new ModelFailure("broken")], "chat.error"],
    ["run.completed", ["fine"], "chat.done"],
  ] as const;
  for (const [event, step, expected] of late) {
    it(`after ${event} comes too late: the turn ends as it said`, async () => {
      const model = new ScriptedModel(step);
      await using world = await createChatWorld({ chat: scriptedChat(model) });
      const { socket, threadUuid: thread_uuid } = world;
      socket.onFrame = ({ data }) => {
        if (data.type === event) void socket.say({ type: "chat.cancel", id: "t1" });
      };
      assert.equal((await socket.chat("t1", { content: "x", thread_uuid })).type, expected);
      assert.equal(graph(socket.frames).includes("run.aborted"), false);
    });
  }

  it("in the tick of the send still stores the thread and the user message", async () => {
    await using world = await createChatWorld();
    const { socket, workspaceUuid } = world;
    const data = { content: "keep me", workspace_uuid: workspaceUuid };
    void socket.say({ type: "chat.send", id: "t1", data });
    await socket.say({ type: "chat.cancel", id: "t1" });
    const ended = await socket.ended("t1");
    assert.equal(ended.type, "chat.cancelled");
    assert.deepEqual(await world.stored(ended.data.thread_uuid), [["user", "keep me"]]);
  });
});

describe("a second chat.send during a turn", () => {
  it("is an uncorrelated error, also where its data is invalid, and the turn goes on", async () => {
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const model = new ScriptedModel(async function* (): AsyncIterable<ModelPart> {
      await gate;
      yield { type: "delta", text: "done" };
      yield { type: "end", usage: undefined };
    });
    await using world = await createChatWorld({ chat: scriptedChat(model) });
    const { socket, threadUuid: thread_uuid } = world;
    await socket.say({ type: "chat.send", id: "t1", data: { content: "x", thread_uuid } });
    for (const data of [{ content: "y", thread_uuid }, {}]) {
      await socket.say({ type: "chat.send", id: "t2", data });
      const error = socket.frames.at(-1)!;
      assert.equal(error.type, "error");
      assert.equal("id" in error, false);
      assert.match(error.data.error, /turn is active/i);
    }
    go();
    assert.equal((await socket.ended("t1")).type, "chat.done");
    assert.equal(socket.frames.filter(({ id }) => id === "t2").length, 0);
    assert.deepEqual(await world.stored(), [
      ["user", "x"],
      ["assistant", "done"],
    ]);
  });

  it("on another connection is a turn of its own", async () => {
    await using world = await createChatWorld();
    const { socket, threadUuid: thread_uuid } = world;
    const other = world.connect();
    const ends = await Promise.all([
      socket.chat("t", { content: "a", thread_uuid }),
      other.chat("t", { content: "b", thread_uuid }),
    ]);
    assert.deepEqual(
      ends.map(({ type }) => type),
      ["chat.done", "chat.done"],
    );
    assert.equal((await world.stored()).length, 4);
  });
});

describe("a connection that goes away during a turn", () => {
  it("cancels it in silence; others see run.aborted; the user message stays", async () => {
    let aborted = false;
    const model = new ScriptedModel(async function* (_request, signal): AsyncIterable<ModelPart> {
      yield { type: "delta", text: "partial" };
      signal.addEventListener("abort", () => {
        aborted = true;
      });
      await new Promise(() => {});
    });
    await using world = await createChatWorld({ chat: scriptedChat(model) });
    const { socket, threadUuid: thread_uuid, test } = world;
    await socket.say({ type: "chat.send", id: "t1", data: { content: "x", thread_uuid } });
    while (!graph(socket.frames).includes("model.delta")) await new Promise(setImmediate);
    const before = socket.frames.length;
    await socket.session.close();
    assert.equal(aborted, true);
    assert.equal(socket.frames.length, before);
    assert.equal(test.publishedEvents().at(-1)!.data.type, "run.aborted");
    assert.deepEqual(await world.stored(), [["user", "x"]]);
    await socket.say({ type: "ping" });
    assert.equal(socket.frames.length, before);
  });

  it("before its message is stored keeps the message, and is through when it is closed", async () => {
    await using world = await createChatWorld();
    const { socket, threadUuid: thread_uuid, test } = world;
    await socket.say({ type: "chat.send", id: "t1", data: { content: "x", thread_uuid } });
    await socket.session.close();
    assert.equal(test.publishedEvents().at(-1)!.data.type, "run.aborted");
    for (let at = 0; at < 5; at += 1) await new Promise(setImmediate);
    assert.deepEqual(test.publishedEvents(), []);
    assert.deepEqual(socket.frames, []);
    assert.deepEqual(await world.stored(), [["user", "x"]]);
  });

  it("because the engine stops settles an approval that is waited for", async () => {
    const model = new ScriptedModel([{ call: "create_value", args: {} }]);
    const tool = testTool("create_value", async () => assert.fail("it ran"));
    await using world = await createChatWorld(
      { chat: scriptedChat(model, { tools: [tool] }) },
      { approvalConfig: null },
    );
    const { socket, threadUuid: thread_uuid, test } = world;
    await socket.say({ type: "chat.send", id: "t1", data: { content: "x", thread_uuid } });
    await socket.next("tool.approval.request");
    await test.engine.close();
    assert.equal(test.publishedEvents().at(-1)!.data.type, "run.aborted");
    assert.deepEqual(await world.stored(), [["user", "x"]]);
  });

  it("because the engine stops is closed with 1001", async () => {
    const model = new ScriptedModel(async function* (): AsyncIterable<ModelPart> {
      yield { type: "delta", text: "partial" };
      await new Promise(() => {});
    });
    await using world = await createChatWorld({ chat: scriptedChat(model) });
    const { socket, threadUuid: thread_uuid, test } = world;
    const idle = new TestSocket(test.engine);
    await socket.say({ type: "chat.send", id: "t1", data: { content: "x", thread_uuid } });
    await test.engine.close();
    assert.equal(socket.closed?.code, 1001);
    assert.equal(idle.closed?.code, 1001);
  });
});
