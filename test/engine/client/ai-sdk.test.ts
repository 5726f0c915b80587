// Slow: it loads a client of others.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AbstractChat, type ChatState, type ChatStatus, type UIMessage } from "ai";
import { RoundhouseChatTransport } from "../../../engine/client/ai-sdk.ts";
import type { EngineClient } from "../../../engine/client/client.ts";
import { createTestClient } from "../../support/engine/engine.ts";
import { endlessStep, harnessOf, turnOf } from "../../support/engine/turns.ts";
import type { ScriptedStep } from "../../support/providers/model.ts";
import { until } from "../../support/time.ts";

/** What `useChat` keeps its state in, without React. */
class State implements ChatState<UIMessage> {
  status: ChatStatus = "ready";
  error: Error | undefined;
  messages: UIMessage[] = [];
  pushMessage = (message: UIMessage) => {
    this.messages = [...this.messages, message];
  };
  popMessage = () => {
    this.messages = this.messages.slice(0, -1);
  };
  replaceMessage = (at: number, message: UIMessage) => {
    this.messages = this.messages.with(at, message);
  };
  snapshot = <Value>(value: Value) => structuredClone(value);
}

class Chat extends AbstractChat<UIMessage> {}

/** A page with `useChat`, and the engine behind it. */
async function pageOf(steps: ScriptedStep[], workspace: Record<string, unknown> = {}) {
  const harness = await harnessOf(steps, workspace);
  const { workspaceUuid } = harness;
  const open = (id: string, onApproval?: () => unknown, client?: EngineClient) => {
    const transport = new RoundhouseChatTransport({
      client: client ?? createTestClient(harness.test).client,
      workspaceUuid,
      onApproval,
    });
    return new Chat({ id, transport, state: new State() });
  };
  const { client } = createTestClient(harness.test);
  const transport = new RoundhouseChatTransport({ client, workspaceUuid });
  return Object.assign(harness, { open, client, transport });
}

const textsOf = (messages: UIMessage[]) =>
  messages.map(({ parts }) =>
    parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
  );

const shown = (chat: Chat) =>
  chat.messages.map(({ role, parts }) => [
    role,
    parts.map((part) => (part.type === "text" ? part.text : part.type)).join(","),
  ]);

describe("the transport of useChat", () => {
  it("shows the answer, and keeps one thread for a chat", async () => {
    await using page = await pageOf([["Hel", "lo"], ["Again"]]);
    const chat = page.open("a chat");
    await chat.sendMessage({ text: "How are you?" });
    await chat.sendMessage({ text: "And now?" });
    assert.equal(chat.status, "ready");
    assert.deepEqual(shown(chat), [
      ["user", "How are you?"],
      ["assistant", "step-start,Hello"],
      ["user", "And now?"],
      ["assistant", "step-start,Again"],
    ]);
    const threads = await page.client.threads.list(page.workspaceUuid);
    const [thread] = threads.filter(({ uuid }) => uuid !== page.threadUuid);
    assert.equal(threads.length, 2);
    assert.equal(thread?.title, "How are you?");
    assert.equal((await page.client.messages.list(thread!.uuid)).length, 4);
  });

  it("finds the thread of a chat again after a reload, and takes a thread's own id", async () => {
    await using page = await pageOf([["One"], ["Two"], ["Three"]]);
    await page.open("a chat").sendMessage({ text: "1" });
    await page.open("a chat").sendMessage({ text: "2" });
    await page.open(page.threadUuid).sendMessage({ text: "3" });
    assert.equal((await page.client.threads.list(page.workspaceUuid)).length, 2);
    const messages = await page.client.messages.list(page.threadUuid);
    assert.deepEqual(
      messages.map(({ content }) => content),
      ["3", "Three"],
    );
  });

  it("shows tool calls with what they were given, and gave", async () => {
    const call = (name: string) => [{ call: name, args: { value: 1 } }];
    await using page = await pageOf([
      ["Let me see.", ...call("read_value")],
      call("get_failure"),
      ["Done"],
    ]);
    const chat = page.open("a chat");
    await chat.sendMessage({ text: "go" });
    const [, first, read, failure, last] = chat.messages[1]!.parts;
    assert.ok(first?.type === "text" && last?.type === "text");
    assert.deepEqual([first.text, first.state, last.text], ["Let me see.", "done", "Done"]);
    assert.ok(read?.type === "dynamic-tool" && failure?.type === "dynamic-tool");
    const { toolName, state, input, output } = read;
    assert.deepEqual(
      { toolName, state, input, output },
      {
        toolName: "read_value",
        state: "output-available",
        input: { value: 1 },
        output: { read: 1 },
      },
    );
    assert.equal(failure.state, "output-error");
    assert.equal(failure.errorText, "The path is not there.");
  });

  it("shows thinking as parts of its own, between texts and calls", async () => {
    const steps = [
      [{ think: "Let me " }, { think: "see." }, "First ", { call: "read_value", args: {} }],
      [{ think: "So" }, "last"],
    ];
    await using page = await pageOf(steps);
    const chat = page.open("c");
    await chat.sendMessage({ text: "go" });
    const parts = chat.messages[1]!.parts.map((part) =>
      part.type === "reasoning" || part.type === "text"
        ? [part.type, part.text, part.state]
        : [part.type],
    );
    assert.deepEqual(parts, [
      ["step-start"],
      ["reasoning", "Let me see.", "done"],
      ["text", "First ", "done"],
      ["dynamic-tool"],
      ["reasoning", "\n\nSo", "done"],
      ["text", "last", "done"],
    ]);
  });

  it("asks onApproval, and shows a denied call", async () => {
    const steps = () => [[{ call: "create_value", args: { value: 1 } }], ["Done"]];
    await using page = await pageOf([...steps(), ...steps()], { approvalConfig: null });
    const states: unknown[] = [];
    for (const decision of ["approve", "deny"]) {
      const chat = page.open(decision, () => decision);
      await chat.sendMessage({ text: "go" });
      const part = chat.messages[1]!.parts[1];
      states.push(part?.type === "dynamic-tool" && part.state);
    }
    assert.deepEqual(states, ["output-available", "output-error"]);
  });

  it("resumes an active turn from its beginning, and nothing where none is active", async () => {
    let goOn = () => {};
    const paused = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const step = async function* () {
      yield { type: "delta" as const, text: "Hel" };
      await paused;
      yield { type: "delta" as const, text: "lo" };
      yield { type: "end" as const, usage: undefined };
    };
    await using page = await pageOf([step]);
    const { client } = createTestClient(page.test);
    const first = page.open("a chat", undefined, client);
    const sent = first.sendMessage({ text: "go" });
    await until("The first piece", () => first.messages[1]?.parts[1] && true);
    await client[Symbol.asyncDispose]();
    await sent;
    const second = page.open("a chat");
    const resumed = second.resumeStream();
    await until("The first piece again", () => second.messages[0]?.parts[1] && true);
    goOn();
    await resumed;
    assert.deepEqual(shown(second), [["assistant", "step-start,Hello"]]);
    const third = page.open("a chat");
    await third.resumeStream();
    assert.deepEqual([third.status, third.messages], ["ready", []]);
    await page.open("another chat").resumeStream();
  });

  it("cancels the turn with stop, and shows errors", async () => {
    await using page = await pageOf([endlessStep("Half"), ["Half", new Error("broken")]]);
    const chat = page.open("a chat");
    const sent = chat.sendMessage({ text: "go" });
    await until("The first piece", () => chat.messages[1]?.parts[1] && true);
    await chat.stop();
    await sent;
    await until("The end of the turn", async () => (await turnOf(page.test)).state === "cancelled");
    assert.deepEqual(shown(chat).at(-1), ["assistant", "step-start,Half"]);
    await chat.sendMessage({ text: "go" });
    assert.equal(chat.status, "error");
    assert.equal(chat.error?.message, (await turnOf(page.test)).error);
    await chat.sendMessage({ text: "go" }, { body: { modelId: 5 } });
    assert.match(chat.error?.message ?? "", /not valid|Invalid|model_id/);
  });

  it("sends files as attachments, and refuses a link", async () => {
    await using page = await pageOf([["Seen"]]);
    const { client, sent } = createTestClient(page.test);
    const chat = page.open("a chat", undefined, client);
    const file = { type: "file" as const, mediaType: "text/plain", filename: "a.txt" };
    const files = [{ ...file, url: "data:text/plain;base64,YQ==" }];
    await chat.sendMessage({ text: "look", files });
    const { body } = sent.find(({ path }) => path.endsWith("/turns"))!;
    assert.deepEqual(body, {
      content: "look",
      file_context: { attachments: [{ name: "a.txt", media_type: "text/plain", data: "YQ==" }] },
    });
    await chat.sendMessage({ text: "look", files: [{ ...file, url: "https://host.example/a" }] });
    assert.match(chat.error?.message ?? "", /data URL/);
  });

  const FILE = { type: "file" as const, mediaType: "text/plain", filename: "a.txt" };
  const files = [{ ...FILE, url: "data:text/plain;base64,YQ==" }];

  it("asks again and edits in a fork, to which the chat points from then on", async () => {
    const steps: ScriptedStep[] = [["1"], ["2"], ["2 again"], ["edited"], ["3"]];
    await using page = await pageOf(steps);
    const chat = page.open("a chat");
    await chat.sendMessage({ text: "one" });
    await chat.sendMessage({ text: "two", files });
    await chat.regenerate();
    const second = chat.messages[2]!.id;
    await chat.sendMessage({ text: "two, edited", messageId: second });
    assert.equal(chat.status, "ready", chat.error?.message);
    await page.open("a chat").sendMessage({ text: "three" });
    const threads = await page.client.threads.list(page.workspaceUuid);
    const contents = [];
    for (const { uuid } of threads.filter(({ uuid }) => uuid !== page.threadUuid)) {
      const messages = await page.client.messages.list(uuid);
      contents.push(messages.map(({ content }) => content).join());
    }
    assert.deepEqual(contents, [
      "one,1,two, edited,edited,three,3",
      "one,1,two,2 again",
      "one,1,two,2",
    ]);
    // The edited message has no file on the page; the one that was asked again kept its own.
    const sent = page.model.requests.map(({ messages }) => {
      const question = messages.at(-1)!;
      return (
        question.role === "user" && (question.attachments ?? []).map(({ name }) => name).join()
      );
    });
    assert.deepEqual(sent, ["", "a.txt", "a.txt", "", ""]);
  });

  it("asks again what a page asked that does not show the beginning of its chat", async () => {
    await using page = await pageOf([["1"], ["2"], ["2 again"]]);
    await page.open(page.threadUuid).sendMessage({ text: "one" });
    const chat = page.open(page.threadUuid);
    await chat.sendMessage({ text: "two" });
    await chat.regenerate();
    const loaded = await page.transport.loadMessages(page.threadUuid);
    assert.deepEqual(textsOf(loaded), ["one", "1", "two", "2 again"]);
  });

  it("resumes a turn that asks again, after a reload", async () => {
    await using page = await pageOf([["1"], endlessStep("Half")]);
    const chat = page.open(page.threadUuid);
    await chat.sendMessage({ text: "one" });
    const again = chat.regenerate();
    await until("The first piece", () => textsOf(chat.messages)[1] === "Half");
    const reloaded = page.open(page.threadUuid);
    reloaded.messages = await page.transport.loadMessages(page.threadUuid);
    const resumed = reloaded.resumeStream();
    await until("The first piece again", () => textsOf(reloaded.messages)[1] === "Half");
    await reloaded.stop();
    await Promise.allSettled([again, resumed]);
    assert.deepEqual(textsOf(reloaded.messages), ["one", "Half"]);
  });

  it("loads the messages of a chat: files, tool calls, and answers that were stopped", async () => {
    const call = (name: string) => [{ call: name, args: { value: 1 } }];
    const steps = [call("read_value"), call("get_failure"), ["Done"], endlessStep("Half"), ["4"]];
    await using page = await pageOf(steps);
    assert.deepEqual(await page.transport.loadMessages("unknown"), []);
    const chat = page.open("a chat");
    await chat.sendMessage({ text: "go", files });
    const sent = chat.sendMessage({ text: "and" });
    await until("The first piece", () => chat.messages[3]?.parts[1] && true);
    const running = await page.transport.loadMessages("a chat");
    assert.deepEqual(running.at(-1)?.role, "user");
    await chat.stop();
    await sent;
    const turn = await until("The end", async () => {
      const newest = await turnOf(page.test);
      return newest.state === "cancelled" && newest;
    });
    const loaded = await page.transport.loadMessages("a chat");
    const stored = await page.client.messages.list(turn.threadUuid);
    const [first, , , answer, second] = stored.map(({ uuid }) => uuid);
    assert.deepEqual(
      loaded.map(({ id, role }) => [id, role]),
      [
        [first, "user"],
        [answer, "assistant"],
        [second, "user"],
        [turn.uuid, "assistant"],
      ],
    );
    assert.deepEqual(loaded[0]!.parts, [...files, { type: "text", text: "go" }]);
    const states = loaded[1]!.parts.map((part) => ("state" in part ? part.state : part.type));
    assert.deepEqual(states, ["output-available", "output-error", "done"]);
    assert.deepEqual(textsOf(loaded), ["go", "Done", "and", "Half"]);
    // What was loaded can be asked again and edited.
    const reopened = page.open("a chat");
    reopened.messages = loaded;
    await reopened.regenerate();
    assert.deepEqual(textsOf(await page.transport.loadMessages("a chat")), [
      "go",
      "Done",
      "and",
      "4",
    ]);
  });

  it("loads a denied call as denied", async () => {
    await using page = await pageOf([[{ call: "create_value", args: { value: 1 } }], ["Done"]], {
      approvalConfig: null,
    });
    await page.open("a chat").sendMessage({ text: "go" });
    const [, answer] = await page.transport.loadMessages("a chat");
    const [part] = answer!.parts;
    assert.equal(part?.type === "dynamic-tool" && part.state, "output-denied");
  });
});
