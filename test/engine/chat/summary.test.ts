// Slow: its threads are long.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ModelFailure, type ModelRequest } from "../../../engine/models/language-model.ts";
import { type ChatHarness, createChatHarness } from "../../support/engine/chat.ts";
import { TEST_HEADERS } from "../../support/engine/engine.ts";
import { meteredStep } from "../../support/engine/turns.ts";
import { json } from "../../support/http.ts";
import { ScriptedModel, type ScriptedStep, scriptedChat } from "../../support/providers/model.ts";

const WINDOW = 4_096;
// About 100 tokens each.
const text = (name: string) => `${name} ${"word ".repeat(78)}`;

async function harnessOf(steps: ScriptedStep[], contextWindow = WINDOW) {
  const model = new ScriptedModel(...steps);
  const harness = await createChatHarness({
    chat: scriptedChat(model, { contextWindow, tools: [] }),
  });
  return Object.assign(harness, { model });
}

/** Stores exchanges of about 200 tokens each. */
async function store({ test, threadUuid }: ChatHarness, from: number, count: number) {
  for (let at = from; at < from + count; at += 1) {
    await test.call("POST", "/messages", { threadUuid, role: "user", content: text(`Q${at}`) });
    await test.call("POST", "/messages", {
      threadUuid,
      role: "assistant",
      content: text(`A${at}`),
    });
  }
}

async function ask({ socket, threadUuid }: ChatHarness, content: string) {
  const ended = await socket.chat(content.slice(0, 9), { content, thread_uuid: threadUuid });
  assert.equal(ended.type, "chat.done", JSON.stringify(ended.data));
}

const contents = ({ messages }: ModelRequest) =>
  messages.map((message) => ("content" in message ? message.content : ""));
const isSummary = ({ instructions }: ModelRequest) => instructions.startsWith("You summarize");
const names = (request: ModelRequest) =>
  contents(request)
    .join()
    .match(/[QA]\d+/g) ?? [];
const summaryOf = async ({ test, threadUuid }: ChatHarness) =>
  test.call("GET", `/threads/${threadUuid}/summary`);
const newestContext = async ({ test }: ChatHarness) => {
  const [{ uuid }] = await json(await test.call("GET", "/turns?limit=1"));
  return json(await test.call("GET", `/turns/${uuid}/context`));
};

describe("a long thread", () => {
  it("is summarized before a turn, and its messages stay as they are", async () => {
    await using harness = await harnessOf([["They spoke of words."], ["fine"]]);
    await store(harness, 0, 14);
    const before = await harness.stored();
    await ask(harness, "now");
    const [first, second] = harness.model.requests as [ModelRequest, ModelRequest];
    assert.deepEqual([isSummary(first), isSummary(second)], [true, false]);
    assert.equal(names(first)[0], "Q0");
    // What is summarized is sent no longer, and nothing is in neither.
    const kept = names(second);
    assert.deepEqual(
      [...names(first), ...kept],
      before.map(([, content]) => content.split(" ")[0]),
    );
    assert.match(kept[0]!, /^Q/);
    assert.match(contents(second)[0]!, /^\[A summary of .*\]\nThey spoke of words\.\n\nQ\d+ /);
    const { parts } = await newestContext(harness);
    const sum = parts.reduce((total: number, { tokens }: { tokens: number }) => total + tokens, 0);
    assert.ok(sum <= WINDOW * 0.85 * 0.5, `${sum}`);
    assert.ok(parts.some(({ kind }: { kind: string }) => kind === "summary"));
    assert.deepEqual((await harness.stored()).slice(0, before.length), before);
    const summary = await json(await summaryOf(harness));
    const messages = await json(
      await harness.test.call("GET", `/threads/${harness.threadUuid}/messages`),
    );
    const covered = names(first).length - 1;
    assert.equal(summary.throughMessageUuid, messages[covered].uuid);
    assert.equal(summary.text, "They spoke of words.");
  });

  it("begins the same in each turn, until it is summarized again, by continuing the summary", async () => {
    await using harness = await harnessOf([["ONE."], [text("a")], [text("b")], [text("c")]]);
    await store(harness, 0, 14);
    for (const question of ["1", "2", "3"]) await ask(harness, question);
    const [, ...turns] = harness.model.requests;
    const start = contents(turns[0]!).slice(0, -1);
    for (const turn of turns) assert.deepEqual(contents(turn).slice(0, start.length), start);
    harness.model.add(["TWO."], ["fine"]);
    await store(harness, 20, 8);
    await ask(harness, "4");
    const [again, last] = harness.model.requests.slice(-2) as [ModelRequest, ModelRequest];
    assert.ok(isSummary(again));
    assert.match(contents(again)[0]!, /^The summary so far:\n\nONE\./);
    assert.equal(names(again)[0], names(turns[0]!)[0], "it continues where the first one ended");
    assert.match(contents(last)[0]!, /\nTWO\.\n/);
  });

  it("that is longer than the window is summarized in pieces", async () => {
    const pieces = Array.from({ length: 4 }, (_, at) => [`S${at}.`]);
    await using harness = await harnessOf([...pieces, ["fine"]]);
    await store(harness, 0, 45);
    await ask(harness, "now");
    const summaries = harness.model.requests.filter(isSummary);
    assert.ok(summaries.length >= 3, `${summaries.length} pieces`);
    for (const [at, request] of summaries.entries()) {
      assert.ok(Buffer.byteLength(JSON.stringify(request)) / 4 <= WINDOW);
      if (at > 0) assert.match(contents(request)[0]!, new RegExp(`so far:\\n\\nS${at - 1}\\.`));
    }
    assert.equal(summaries.flatMap(names)[0], "Q0");
  });

  const failures: [string, ScriptedStep][] = [
    ["fails", [new ModelFailure("It broke.")]],
    ["overflows", [new ModelFailure("Too long.", { contextOverflow: true })]],
    ["is empty", ["  "]],
  ];
  for (const [how, step] of failures) {
    it(`whose summary ${how} loses its oldest messages at the same place, until it is tried again`, async () => {
      await using harness = await harnessOf([step, [text("a")], ["b"], ["c"]]);
      await store(harness, 0, 14);
      await ask(harness, "1");
      const { notices } = await newestContext(harness);
      assert.match(
        notices[0],
        /^The oldest messages were left out, as they could not be summarized: /,
      );
      assert.equal((await summaryOf(harness)).status, 404);
      await ask(harness, "2");
      const [tried, first, second] = harness.model.requests as ModelRequest[];
      assert.deepEqual(
        [tried, first, second].map((it) => isSummary(it!)),
        [true, false, false],
      );
      const start = contents(first!).slice(0, -1);
      assert.deepEqual(contents(second!).slice(0, start.length), start);
      harness.model.add(["SUM."]);
      await store(harness, 20, 8);
      await ask(harness, "3");
      const [, again] = harness.model.requests.filter(isSummary);
      assert.equal(names(again!)[0], "Q0", "what was left out is summarized now");
    });
  }

  it("is never summarized for echo", async () => {
    await using harness = await createChatHarness();
    for (let at = 0; at < 3; at += 1) await store(harness, at, 1);
    await ask(harness, "x".repeat(200_000));
    assert.equal((await summaryOf(harness)).status, 404);
  });
});

describe("POST /threads/{uuid}/compact", () => {
  const compact = ({ test, threadUuid }: ChatHarness) =>
    test.call("POST", `/threads/${threadUuid}/compact`);

  it("summarizes all but the two newest exchanges; DELETE puts the messages back", async () => {
    const summarizing = meteredStep(
      { inputTokens: 9, outputTokens: 2, cachedInputTokens: 4 },
      { type: "delta", text: "Early words." },
    );
    await using harness = await harnessOf([summarizing, ["a"], ["b"]], 32_768);
    await store(harness, 0, 4);
    const made = await json(await compact(harness));
    assert.deepEqual(await json(await summaryOf(harness)), made);
    const { total } = await json(await harness.test.call("GET", "/usage"));
    assert.deepEqual(total, {
      ...{ turns: 0, turnsWithoutUsage: 0 },
      ...{ inputTokens: 9, outputTokens: 2, cachedInputTokens: 4 },
    });
    await ask(harness, "1");
    assert.deepEqual(names(harness.model.requests[1]!), ["Q2", "A2", "Q3", "A3"]);
    const { threadUuid, test } = harness;
    assert.equal((await test.call("DELETE", `/threads/${threadUuid}/summary`)).status, 204);
    assert.equal((await summaryOf(harness)).status, 404);
    await ask(harness, "2");
    assert.equal(names(harness.model.requests[2]!)[0], "Q0");
  });

  it("goes along in a fork that has all that it covers", async () => {
    await using harness = await harnessOf([["S."], ["a"], ["b"]], 32_768);
    await store(harness, 0, 4);
    await compact(harness);
    const { test, threadUuid } = harness;
    const messages = await json(await test.call("GET", `/threads/${threadUuid}/messages`));
    for (const [last, expected] of [
      [5, ["Q2", "A2"]],
      [1, ["Q0", "A0"]],
    ] as const) {
      const throughMessageUuid = messages[last].uuid;
      const path = `/threads/${threadUuid}/forks`;
      const fork = await json(await test.call("POST", path, { throughMessageUuid }), 201);
      await ask({ ...harness, threadUuid: fork.uuid }, `${last}`);
      assert.deepEqual(names(harness.model.requests.at(-1)!), expected);
      const summary = await test.call("GET", `/threads/${fork.uuid}/summary`);
      assert.equal(summary.status, last === 5 ? 200 : 404);
    }
  });

  it("is 400 where there is nothing to summarize, or no model", async () => {
    await using harness = await harnessOf([["S."]], 32_768);
    await store(harness, 0, 2);
    assert.equal((await compact(harness)).status, 400);
    await store(harness, 2, 1);
    assert.equal((await compact(harness)).status, 200);
    assert.equal((await compact(harness)).status, 400);
    await using echo = await createChatHarness();
    await store(echo, 0, 3);
    const response = await compact(echo);
    assert.equal(response.status, 400);
    assert.match((await response.json()).error, /no model/);
  });

  it("is 502 where the model fails, and changes nothing", async () => {
    await using harness = await harnessOf([[new ModelFailure("It broke.")], ["a"]], 32_768);
    await store(harness, 0, 3);
    const response = await compact(harness);
    assert.deepEqual([response.status, (await response.json()).error], [502, "It broke."]);
    await ask(harness, "1");
    assert.equal(names(harness.model.requests[1]!)[0], "Q0");
  });

  it("is 409 while a turn or another compaction runs, and a client that goes away cancels it", async () => {
    const begun = Promise.withResolvers<void>();
    const hanging: ScriptedStep = async function* (_request, signal) {
      begun.resolve();
      await new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
      yield { type: "end", usage: undefined };
    };
    await using harness = await harnessOf([hanging, ["S."], hanging], 32_768);
    await store(harness, 0, 3);
    const gone = new AbortController();
    const { test, threadUuid } = harness;
    const path = `/threads/${threadUuid}/compact`;
    const init = { method: "POST", headers: TEST_HEADERS, signal: gone.signal };
    const request = new Request(`http://127.0.0.1/api/v1${path}`, init);
    const first = Promise.resolve(test.engine.fetch(request));
    await begun.promise;
    assert.equal((await compact(harness)).status, 409);
    gone.abort();
    await first.catch(() => {});
    assert.equal((await compact(harness)).status, 200);
    const turn = await json(
      await test.call("POST", `/threads/${threadUuid}/turns`, { content: "x" }),
      202,
    );
    assert.equal((await compact(harness)).status, 409);
    await test.call("POST", `/turns/${turn.uuid}/cancel`);
  });
});
