// Slow: its threads are long.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type LanguageModel,
  ModelFailure,
  type ModelPart,
  type ModelRequest,
} from "../../../engine/models/language-model.ts";
import { type ChatHarness, createChatHarness } from "../../support/engine/chat.ts";
import { TEST_HEADERS } from "../../support/engine/engine.ts";
import { endlessStep, endOf, startTurn } from "../../support/engine/turns.ts";
import { json } from "../../support/http.ts";
import { ScriptedModel, type ScriptedStep, scriptedChat } from "../../support/providers/model.ts";

const WINDOW = 32_768;
const FACT = /FACT\d+/g;
const words = (tokens: number) => "word ".repeat((tokens * 4) / 5);
const isSummary = ({ instructions }: ModelRequest) => instructions.startsWith("You summarize");
const factsOf = (value: unknown) => JSON.stringify(value).match(FACT) ?? [];

/** A model that keeps facts in its summaries, as its instructions say, and answers at some length. */
class KeepingModel implements LanguageModel {
  readonly requests: ModelRequest[] = [];

  async *stream(request: ModelRequest): AsyncIterable<ModelPart> {
    this.requests.push(structuredClone(request));
    const text = isSummary(request) ? [...new Set(factsOf(request))].join(" ") : words(100);
    yield { type: "delta", text };
    yield { type: "end", usage: undefined };
  }
}

async function harnessOf<Model extends LanguageModel>(model: Model) {
  const chat = scriptedChat(model, { contextWindow: WINDOW, tools: [] });
  return Object.assign(await createChatHarness({ chat }), { model });
}

/** Stores messages of so many tokens, question and answer in turn. */
async function store({ test, threadUuid }: ChatHarness, contents: readonly string[]) {
  for (const [at, content] of contents.entries()) {
    const role = at % 2 === 0 ? "user" : "assistant";
    await json(await test.call("POST", "/messages", { threadUuid, role, content }));
  }
}

async function ask({ socket, threadUuid }: ChatHarness, content: string) {
  const ended = await socket.chat(content.slice(0, 9), { content, thread_uuid: threadUuid });
  assert.equal(ended.type, "chat.done", JSON.stringify(ended.data));
}

const summaryOf = async ({ test, threadUuid }: ChatHarness) =>
  test.call("GET", `/threads/${threadUuid}/summary`);

describe("a thread of 200,000 tokens", () => {
  it("sends the facts of its first tenth, and its messages stay as they are", async () => {
    await using harness = await harnessOf(new KeepingModel());
    const facts = Array.from({ length: 20 }, (_, at) => `FACT${at}`);
    const contents = Array.from({ length: 200 }, (_, at) => `${facts[at] ?? ""} ${words(1_000)}`);
    await store(harness, contents);
    const before = await harness.stored();
    await ask(harness, "What do you know?");
    const sent = harness.model.requests.at(-1)!;
    assert.equal(isSummary(sent), false);
    assert.deepEqual(factsOf(sent), facts);
    assert.deepEqual((await harness.stored()).slice(0, before.length), before);
  });
});

describe("50 turns beyond the window", () => {
  it("have at least 90 % of the bytes of each request in the next one, at its beginning", async () => {
    await using harness = await harnessOf(new KeepingModel());
    await store(harness, Array(220).fill(words(100)));
    for (let at = 0; at < 50; at += 1) await ask(harness, `${at} ${words(100)}`);
    const requests = harness.model.requests.filter((request) => !isSummary(request));
    assert.equal(requests.length, 50);
    assert.ok(harness.model.requests.length > 51, "it was summarized more than once");
    const [bytes, shared] = sharedBytes(requests.map(toText));
    assert.ok(shared / bytes >= 0.9, `${shared} of ${bytes} bytes`);
  });
});

const toText = ({ instructions, messages }: ModelRequest) =>
  `${instructions}\n${messages.map((message) => JSON.stringify(message)).join("\n")}`;

/** The bytes of all texts but the last one, and how many of them the next text begins with. */
function sharedBytes(texts: readonly string[]): [bytes: number, shared: number] {
  let [bytes, shared] = [0, 0];
  for (const [at, next] of texts.slice(1).entries()) {
    const text = texts[at]!;
    let same = 0;
    while (same < text.length && text[same] === next[same]) same += 1;
    bytes += text.length;
    shared += same;
  }
  return [bytes, shared];
}

describe("a compaction that ends without a summary", () => {
  const failures: [string, ScriptedStep, number][] = [
    ["fails", [new ModelFailure("It broke.")], 502],
    ["overflows", [new ModelFailure("Too long.", { contextOverflow: true })], 502],
    ["says nothing", [" \n"], 502],
    ["is cancelled", endlessStep("half"), 400],
  ];
  for (const [how, step, status] of failures) {
    it(`as it ${how} leaves the thread as it was: messages, summary, and what is sent`, async () => {
      const begun = Promise.withResolvers<void>();
      const last: ScriptedStep =
        typeof step !== "function"
          ? step
          : async function* (...args) {
              begun.resolve();
              yield* step(...args);
            };
      await using harness = await harnessOf(new ScriptedModel(["ONE."], last, ["fine"]));
      const { test, threadUuid, model } = harness;
      const path = `/threads/${threadUuid}/compact`;
      const contents = Array.from({ length: 8 }, (_, at) => `FACT${at}`);
      await store(harness, contents);
      const summary = await json(await test.call("POST", path));
      await store(harness, ["FACT8", "FACT9"]);
      const before = await harness.stored();
      const gone = new AbortController();
      const init = { method: "POST", headers: TEST_HEADERS, signal: gone.signal };
      const ended = test.engine.fetch(new Request(`http://127.0.0.1/api/v1${path}`, init));
      if (status === 400) await begun.promise.then(() => gone.abort());
      assert.equal((await ended).status, status);
      assert.deepEqual(await harness.stored(), before);
      assert.deepEqual(await json(await summaryOf(harness)), summary);
      await ask(harness, "And now?");
      const sent = model.requests.at(-1)!;
      assert.match(JSON.stringify(sent.messages[0]), /ONE\./);
      assert.deepEqual(factsOf(sent), ["FACT4", "FACT5", "FACT6", "FACT7", "FACT8", "FACT9"]);
    });
  }

  it("before a turn that is cancelled meanwhile begins anew with the next turn", async () => {
    const begun = Promise.withResolvers<void>();
    const hanging: ScriptedStep = async function* (...args) {
      begun.resolve();
      yield* endlessStep("half")(...args);
    };
    await using harness = await harnessOf(new ScriptedModel(hanging, ["SUM."], ["fine"]));
    const { test, model } = harness;
    await store(
      harness,
      Array.from({ length: 100 }, (_, at) => `FACT${at} ${words(300)}`),
    );
    const before = await harness.stored();
    const turn = await startTurn(harness);
    await begun.promise;
    await json(await test.call("POST", `/turns/${turn.uuid}/cancel`), 202);
    assert.equal((await endOf(harness, turn)).state, "cancelled");
    assert.equal((await summaryOf(harness)).status, 404);
    assert.deepEqual((await harness.stored()).slice(0, before.length), before);
    await ask(harness, "And now?");
    const [first, again] = model.requests;
    assert.deepEqual(again!.messages, first!.messages);
    assert.equal((await json(await summaryOf(harness))).text, "SUM.");
  });
});

describe("a summary", () => {
  it("has at most 2,048 tokens, however long the model goes on", async () => {
    await using harness = await harnessOf(new ScriptedModel([words(9_000)]));
    const { test, threadUuid } = harness;
    await store(harness, ["1", "2", "3", "4", "5", "6"]);
    const { text, tokens } = await json(await test.call("POST", `/threads/${threadUuid}/compact`));
    assert.equal(tokens, 2_048);
    assert.ok(text.length <= 4 * 2_048);
  });
});
