import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { REASONING_BYTES_MAX } from "../../../engine/turns/limits.ts";
import { createTestClient } from "../../support/engine/engine.ts";
import { endOf, eventsOf, harnessOf, startTurn, turnOf } from "../../support/engine/turns.ts";
import { json } from "../../support/http.ts";

const THOUGHT = "canary-thought";
const STEPS = [
  [{ think: THOUGHT }, { think: " goes on" }, { call: "read_value", args: {} }],
  [{ think: "then" }, "the answer"],
];
const WHOLE = `${THOUGHT} goes on\n\nthen`;

describe("what a model thinks", () => {
  it("is streamed apart from the answer, and kept with the turn", async () => {
    await using harness = await harnessOf([...STEPS]);
    const { test, threadUuid } = harness;
    const turn = await startTurn(harness);
    const events = await eventsOf(harness, turn);
    const deltas = events.filter(({ event }) => event === "reasoning");
    assert.equal(deltas.map(({ data }) => data.delta).join(""), WHOLE);
    const path = `/turns/${turn.uuid}/reasoning`;
    assert.deepEqual(await json(await test.call("GET", path)), { text: WHOLE });
    const [detailed] = await json(
      await test.call("GET", `/threads/${threadUuid}/turns?details=true`),
    );
    assert.deepEqual(detailed.details.reasoning, { text: WHOLE });
  });

  it("is in no message, record, search, frame or event stream, and no later turn has it", async () => {
    await using harness = await harnessOf([...STEPS, ["again"], ["end"]]);
    const { test, socket, threadUuid, model } = harness;
    const watcher = harness.connect();
    await watcher.say({ type: "client.hello", data: {} });
    await socket.chat("t", { content: "go", thread_uuid: threadUuid });
    await endOf(harness, await startTurn(harness));
    const stored = JSON.stringify(await harness.stored());
    const frames = JSON.stringify([...socket.frames, ...watcher.frames]);
    const events = JSON.stringify(test.publishedEvents());
    const found = await json(await test.call("GET", `/search/messages?query=${THOUGHT}`));
    const list = JSON.stringify(await json(await test.call("GET", "/turns")));
    for (const text of [stored, frames, events, list]) assert.ok(!text.includes(THOUGHT));
    assert.deepEqual(found, []);
    assert.ok(!JSON.stringify(model.requests[2]!.messages).includes(THOUGHT));
    const [, first] = await json(await test.call("GET", `/threads/${threadUuid}/turns`));
    assert.equal(first.source, "websocket");
    const path = `/turns/${first.uuid}/reasoning`;
    assert.deepEqual(await json(await test.call("GET", path)), { text: WHOLE });
  });

  it("is kept up to 64 KiB, also of a turn that failed; empty where there was none", async () => {
    const long = "é".repeat(1000);
    const steps = [
      [...Array.from({ length: 40 }, () => ({ think: long })), new Error("gone")],
      ["none"],
    ];
    await using harness = await harnessOf(steps);
    const { test } = harness;
    const first = await endOf(harness, await startTurn(harness));
    assert.equal(first.state, "failed");
    const reasoningOf = async (uuid: string) =>
      json(await test.call("GET", `/turns/${uuid}/reasoning`));
    const { text } = await reasoningOf(first.uuid);
    assert.equal(Buffer.byteLength(text), REASONING_BYTES_MAX);
    assert.ok(long.repeat(40).startsWith(text));
    const second = await endOf(harness, await startTurn(harness));
    assert.deepEqual(await reasoningOf(second.uuid), { text: "" });
    await json(await test.call("GET", "/turns/none/reasoning"), 404);
  });

  it("has no half of a character, and U+0000 as it came", async () => {
    await using harness = await harnessOf([[{ think: "\ud83d" }, { think: "\ude00\0\ud83d" }]]);
    const turn = await endOf(harness, await startTurn(harness));
    const path = `/turns/${turn.uuid}/reasoning`;
    assert.deepEqual(await json(await harness.test.call("GET", path)), {
      text: "\u{1f600}\0\ufffd",
    });
  });
});

describe("the effort of a turn", () => {
  for (const effort of ["off", "low", "medium", "high", null, undefined]) {
    it(`${effort} is the model's in every step`, async () => {
      await using harness = await harnessOf([...STEPS]);
      await endOf(harness, await startTurn(harness, { reasoning_effort: effort }));
      const given = harness.model.requests.map(({ reasoningEffort }) => reasoningEffort);
      assert.deepEqual(given, [effort ?? undefined, effort ?? undefined]);
    });
  }

  it("is 400 where it is unknown, and nothing is stored", async () => {
    await using harness = await harnessOf([]);
    const { test, threadUuid, workspaceUuid } = harness;
    for (const path of [`/threads/${threadUuid}/turns`, `/workspaces/${workspaceUuid}/turns`]) {
      for (const reasoning_effort of ["max", "", 1, true]) {
        const refused = await test.call("POST", path, { content: "go", reasoning_effort });
        assert.match((await json(refused, 400)).details, /^reasoning_effort/);
      }
    }
    assert.deepEqual(await harness.stored(), []);
  });

  it("is none for a turn of a socket, whose frame has no such field", async () => {
    await using harness = await harnessOf([["a"]]);
    const { socket, threadUuid, model } = harness;
    const data = { content: "go", thread_uuid: threadUuid, reasoning_effort: "high" };
    assert.equal((await socket.chat("t", data)).type, "chat.done");
    assert.equal(model.requests[0]!.reasoningEffort, undefined);
  });
});

describe("the client", () => {
  it("gives thinking as events of its own, and takes the effort", async () => {
    await using harness = await harnessOf([...STEPS]);
    const { client } = createTestClient(harness.test);
    const { threadUuid } = harness;
    const turn = client.chat({ threadUuid, content: "go", reasoningEffort: "low" });
    let thought = "";
    for await (const event of turn) if (event.type === "reasoning") thought += event.delta;
    assert.equal(thought, WHOLE);
    assert.equal((await turn).text, "the answer");
    assert.equal(harness.model.requests[0]!.reasoningEffort, "low");
    assert.deepEqual(await client.turns.getReasoning((await turnOf(harness.test)).uuid), {
      text: WHOLE,
    });
  });
});
