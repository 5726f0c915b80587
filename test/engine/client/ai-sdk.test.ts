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
  return Object.assign(harness, { open, client: createTestClient(harness.test).client });
}

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
});
