import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ModelFailure, type ModelPart } from "../../../engine/models/language-model.ts";
import { toTitleLine } from "../../../engine/turns/title-thread.ts";
import { createChatHarness } from "../../support/engine/chat.ts";
import { createTestClient, openChanges } from "../../support/engine/engine.ts";
import { endOf, harnessOf, meteredStep, startTurn } from "../../support/engine/turns.ts";
import { json } from "../../support/http.ts";
import type { ScriptedStep } from "../../support/providers/model.ts";

/** A thread that a turn began, and the calls for its title. */
async function titled(...steps: ScriptedStep[]) {
  const harness = await harnessOf([["The answer"], ...steps]);
  const { test, workspaceUuid } = harness;
  const path = `/workspaces/${workspaceUuid}/turns`;
  const turn = await json(await test.call("POST", path, { content: "What is a roundhouse?" }), 202);
  await endOf(harness, turn);
  const thread = `/threads/${turn.threadUuid}`;
  return Object.assign(harness, {
    thread,
    give: () => test.call("POST", `${thread}/title`),
    titleNow: async () => (await json(await test.call("GET", thread))).title,
  });
}

describe("the title of a thread by its model", () => {
  it("costs one small request of its own, and replaces what the engine made of the question", async () => {
    await using harness = await titled(["**Sheds for ", "locomotives.**\n\nMore"]);
    const { test, model } = harness;
    await using changes = await openChanges(test);
    test.publishedEvents();
    assert.equal(await harness.titleNow(), "What is a roundhouse?");
    const thread = await json(await harness.give());
    assert.equal(thread.title, "Sheds for locomotives");
    assert.deepEqual(thread, await json(await test.call("GET", harness.thread)));
    assert.equal(model.requests.length, 2);
    const { messages, tools } = model.requests[1]!;
    assert.deepEqual(tools, []);
    assert.deepEqual(messages, [
      { role: "user", content: "Question:\nWhat is a roundhouse?\n\nAnswer:\nThe answer" },
    ]);
    const [change] = await changes.take(1);
    assert.equal(change!.event, "thread.updated");
    assert.deepEqual(change!.data.changed, ["title", "updatedAt"]);
    assert.deepEqual(test.publishedEvents(), []);
  });

  it("is given again where a model gave the last one, and where there is none", async () => {
    await using harness = await titled(["One"], ["Two"], ["Three"]);
    await json(await harness.give());
    assert.equal((await json(await harness.give())).title, "Two");
    await json(await harness.test.call("PUT", harness.thread, { title: null }));
    assert.equal((await json(await harness.give())).title, "Three");
  });

  it("never replaces a person's, and asks no model then", async () => {
    await using harness = await titled(["One"]);
    await json(await harness.test.call("PUT", harness.thread, { title: "Mine" }));
    await json(await harness.give(), 409);
    assert.equal(harness.model.requests.length, 1);
    const body = { workspaceUuid: harness.workspaceUuid, title: "Also mine" };
    const { uuid } = await json(await harness.test.call("POST", "/threads", body));
    await json(await harness.test.call("POST", `/threads/${uuid}/title`), 409);
  });

  it("never replaces one that a person gives meanwhile", async () => {
    const asked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    await using harness = await titled(async function* (): AsyncIterable<ModelPart> {
      asked.resolve();
      await go.promise;
      yield { type: "delta", text: "Late" };
      yield { type: "end", usage: undefined };
    });
    const given = harness.give();
    await asked.promise;
    await json(await harness.test.call("PUT", harness.thread, { title: "Mine" }));
    go.resolve();
    await json(await given, 409);
    assert.equal(await harness.titleNow(), "Mine");
  });

  it("is a person's in a fork that was given one, and the model's in any other", async () => {
    await using harness = await titled(["One"], ["Two"]);
    const fork = async (body: object) =>
      (await json(await harness.test.call("POST", `${harness.thread}/forks`, body), 201)).uuid;
    const give = async (uuid: string, status: number) =>
      json(await harness.test.call("POST", `/threads/${uuid}/title`), status);
    await give(await fork({ title: "Mine" }), 409);
    assert.equal((await give(await fork({}), 200)).title, "One");
  });

  it("is 502 where the model fails or says nothing, and the thread stays as it was", async () => {
    await using harness = await titled([new ModelFailure("The key is wrong.")], [" \n**"]);
    assert.match((await json(await harness.give(), 502)).error, /The key is wrong/);
    assert.match((await json(await harness.give(), 502)).error, /gave no title/);
    assert.equal(await harness.titleNow(), "What is a roundhouse?");
  });

  const METERED = { inputTokens: 90, outputTokens: 5, cachedInputTokens: 0 };
  for (const [what, text, status] of [
    ["a title", "One", 200],
    ["an answer without a title", "**", 502],
  ] as const) {
    it(`counts the tokens of ${what} in the usage, and no turn`, async () => {
      await using harness = await titled(meteredStep(METERED, { type: "delta", text }));
      const total = async () => (await json(await harness.test.call("GET", "/usage"))).total;
      const before = await total();
      await json(await harness.give(), status);
      assert.deepEqual(await total(), { ...before, ...METERED });
    });
  }

  it("is cancelled by a client that goes away, and the thread stays as it was", async () => {
    const asked = Promise.withResolvers<AbortSignal>();
    await using harness = await titled(
      async function* (_request, signal): AsyncIterable<ModelPart> {
        asked.resolve(signal);
        yield { type: "delta", text: "Late" };
        await new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        });
      },
    );
    const gone = new AbortController();
    const { client } = createTestClient(harness.test);
    const uuid = harness.thread.replace("/threads/", "");
    const given = client.threads.createTitle(uuid, { signal: gone.signal });
    const signal = await asked.promise;
    gone.abort();
    await assert.rejects(given);
    assert.ok(signal.aborted);
    assert.equal(await harness.titleNow(), "What is a roundhouse?");
  });

  it("is 404 for an unknown thread, and 400 without a message", async () => {
    await using harness = await harnessOf([]);
    await json(await harness.test.call("POST", "/threads/none/title"), 404);
    await json(await harness.test.call("POST", `/threads/${harness.threadUuid}/title`), 400);
  });

  it("is 400 without a model", async () => {
    await using harness = await createChatHarness();
    await endOf(harness, await startTurn(harness));
    const path = `/threads/${harness.threadUuid}/title`;
    assert.match((await json(await harness.test.call("POST", path), 400)).error, /no model/);
  });

  const LINES: [text: string, title: string][] = [
    ["Plain words", "Plain words"],
    ['"Quoted."', "Quoted"],
    ["\n\n# Heading\nmore", "Heading"],
    ["one two three four five six seven", "one two three four five six"],
    ["  white \t space  ", "white space"],
    ["\u{1f600}".repeat(80), "\u{1f600}".repeat(60)],
    ["a\0b", "a b"],
    ["", ""],
    [" ** ", ""],
  ];
  for (const [text, title] of LINES) {
    it(`is ${JSON.stringify(title)} of ${JSON.stringify(text).slice(0, 40)}`, () => {
      assert.equal(toTitleLine(text), title);
    });
  }
});
