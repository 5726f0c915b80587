import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Turn } from "../../../engine/turns/wire.ts";
import type { ChatHarness } from "../../support/engine/chat.ts";
import { deletedRowsGone } from "../../support/engine/engine.ts";
import {
  endlessStep,
  endOf,
  harnessOf,
  openEvents,
  startTurn,
  turnOf,
} from "../../support/engine/turns.ts";
import { json } from "../../support/http.ts";

const FILE = { name: "a.txt", data: btoa("bytes of a") };
const OTHER = { name: "b.txt", data: btoa("bytes of b") };

async function list(harness: ChatHarness, path: string) {
  return json(await harness.test.call("GET", path));
}

/** Runs a turn to its end. */
async function ask(harness: ChatHarness, body: object): Promise<Turn> {
  return endOf(harness, await startTurn(harness, body));
}

const replace = async ({ test }: ChatHarness, { threadUuid }: Turn, body: object, status = 202) =>
  json(await test.call("POST", `/threads/${threadUuid}/turns`, body), status);

async function attachmentsOf(harness: ChatHarness, messageUuid: string): Promise<string[]> {
  const files = await list(harness, `/messages/${messageUuid}/attachments`);
  return files.map(({ name }: { name: string }) => name);
}

describe("a turn that replaces a message", () => {
  it("runs in a fork of what is before it; the original never changes", async () => {
    await using harness = await harnessOf([["1"], ["2"], ["3"], ["again"]]);
    await ask(harness, { content: "one" });
    const second = await ask(harness, { content: "two" });
    await ask(harness, { content: "three" });
    const before = await harness.stored();
    const thread = await list(harness, `/threads/${second.threadUuid}`);
    const turn = await replace(harness, second, { replaces: second.userMessageUuid });
    assert.notEqual(turn.threadUuid, second.threadUuid);
    assert.equal((await endOf(harness, turn)).state, "completed");
    assert.deepEqual(await harness.stored(turn.threadUuid), [
      ["user", "one"],
      ["assistant", "1"],
      ["user", "two"],
      ["assistant", "again"],
    ]);
    assert.deepEqual(await harness.stored(), before);
    assert.deepEqual(await list(harness, `/threads/${second.threadUuid}`), thread);
    const [fork] = await list(harness, `/threads/${second.threadUuid}/forks`);
    const messages = await list(harness, `/threads/${second.threadUuid}/messages`);
    assert.deepEqual(
      [fork.threadUuid, fork.throughMessageUuid, fork.replacedMessageUuid],
      [turn.threadUuid, messages[1].uuid, second.userMessageUuid],
    );
    assert.equal(fork.replacementMessageUuid, turn.userMessageUuid);
    const origin = await list(harness, `/threads/${turn.threadUuid}/origin`);
    assert.equal(origin.replacementMessageUuid, turn.userMessageUuid);
    assert.deepEqual(
      harness.model.requests[3]!.messages.map((message) => "content" in message && message.content),
      ["one", "1", "two"],
    );
  });

  it("publishes its thread and its question, as a turn in a new thread does", async () => {
    await using harness = await harnessOf([["1"], ["2"]]);
    const first = await ask(harness, { content: "one" });
    harness.test.publishedEvents();
    await endOf(harness, await replace(harness, first, { replaces: first.userMessageUuid }));
    const types = harness.test.publishedEvents().map(({ type }) => type);
    assert.deepEqual(types, ["thread.created", "message.created", "message.created"]);
  });

  const ATTACHMENTS: [string, object, string, string[]][] = [
    ["asks again with the stored text and files", {}, "one", ["a.txt"]],
    ["takes null for the stored text", { content: null, file_context: null }, "one", ["a.txt"]],
    ["keeps the files where it names none", { content: "1", file_context: {} }, "1", ["a.txt"]],
    ["drops them for an empty list", { content: "1", file_context: { attachments: [] } }, "1", []],
    ["takes others", { content: "", file_context: { attachments: [OTHER] } }, "", ["b.txt"]],
  ];
  for (const [what, body, content, files] of ATTACHMENTS) {
    it(what, async () => {
      await using harness = await harnessOf([["1"], ["2"]]);
      const first = await ask(harness, { content: "one", file_context: { attachments: [FILE] } });
      const replaces = first.userMessageUuid;
      const turn = await endOf(harness, await replace(harness, first, { ...body, replaces }));
      assert.deepEqual((await harness.stored(turn.threadUuid))[0], ["user", content]);
      assert.deepEqual(await attachmentsOf(harness, turn.userMessageUuid), files);
      const question = harness.model.requests[1]!.messages.at(-1)!;
      const sent = question.role === "user" ? (question.attachments ?? []) : [];
      assert.deepEqual(
        sent.map(({ name }) => name),
        files,
      );
      assert.deepEqual(await attachmentsOf(harness, replaces), ["a.txt"]);
    });
  }

  it("starts while a turn runs in the original", async () => {
    await using harness = await harnessOf([["1"], endlessStep("2"), ["again"]]);
    const first = await ask(harness, { content: "one" });
    const running = await startTurn(harness);
    const again = await replace(harness, first, { replaces: first.userMessageUuid });
    assert.equal((await endOf(harness, again)).state, "completed");
    assert.equal((await turnOf(harness.test, running.uuid)).state, "running");
  });

  const REFUSED: [string, (turn: Turn) => object, number, RegExp][] = [
    ["an answer", (turn) => ({ replaces: turn.assistantMessageUuid }), 400, /^replaces: /],
    ["an unknown message", () => ({ replaces: "none", content: "x" }), 400, /^replaces: /],
    ["no message and no text", () => ({ replaces: null }), 400, /^content: /],
    [
      "a text that is none",
      (turn) => ({ replaces: turn.userMessageUuid, content: 1 }),
      400,
      /^content: /,
    ],
  ];
  for (const [what, bodyOf, status, details] of REFUSED) {
    it(`is ${status} for ${what}, and makes no fork`, async () => {
      await using harness = await harnessOf([["1"]]);
      const first = await ask(harness, { content: "one" });
      const refused = await replace(harness, first, bodyOf(first), status);
      assert.match(refused.details, details);
      assert.deepEqual(await list(harness, `/threads/${first.threadUuid}/forks`), []);
      const { rows } = await harness.test.deps.db.$client.execute("SELECT 1 FROM threads");
      assert.equal(rows.length, 1);
    });
  }
});

describe("the turns of a fork", () => {
  it("are those of its messages, and are in no list of all turns", async () => {
    await using harness = await harnessOf([["1"], endlessStep("half"), ["3"], ["new"]]);
    const first = await ask(harness, { content: "one" });
    const stopped = await startTurn(harness, { content: "two" });
    await using reader = await openEvents(harness, stopped);
    while ((await reader.take(1))[0]!.event !== "model.delta");
    await harness.test.call("POST", `/turns/${stopped.uuid}/cancel`);
    const third = await ask(harness, { content: "three" });
    const path = `/threads/${first.threadUuid}/forks`;
    const body = { throughMessageUuid: third.userMessageUuid };
    const fork = await json(await harness.test.call("POST", path, body), 201);
    const copies = await list(harness, `/threads/${fork.uuid}/messages`);
    const turns: Turn[] = await list(harness, `/threads/${fork.uuid}/turns`);
    // The answer to the third question is not copied, so its turn is not.
    assert.deepEqual(
      turns.map(({ state, partialText, userMessageUuid, assistantMessageUuid }) => {
        return [state, partialText, userMessageUuid, assistantMessageUuid];
      }),
      [
        ["cancelled", "half", copies[2].uuid, null],
        ["completed", null, copies[0].uuid, copies[1].uuid],
      ],
    );
    const ofCopy = await list(harness, `/turns/${turns[1]!.uuid}/context`);
    assert.deepEqual(ofCopy, await list(harness, `/turns/${first.uuid}/context`));
    assert.equal((await list(harness, "/turns")).length, 3);
    assert.deepEqual(await turnOf(harness.test, turns[0]!.uuid), turns[0]);
    await harness.test.call("DELETE", `/threads/${first.threadUuid}`);
    await deletedRowsGone(harness.test.deps.db);
    const next = { ...harness, threadUuid: fork.uuid };
    await ask(next, { content: "four" });
    const said = harness.model.requests[3]!.messages.map(
      (message) => "content" in message && message.content,
    );
    assert.deepEqual(said, [
      "one",
      "1",
      "two",
      "half\n\n[This answer was stopped before its end.]",
      "three",
      "four",
    ]);
  });
});
