// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ReasoningEffort } from "../../../../engine/models/language-model.ts";
import { createTestEngine, openEventStream } from "../../../support/engine/engine.ts";
import { NOTHING_ASKED } from "../../../support/engine/files.ts";
import { json } from "../../../support/http.ts";
import {
  assertFailure,
  createProviderBench,
  REQUEST,
  runStep,
} from "../../../support/providers/harness.ts";
import { type PlayedOllama, startPlayedOllama } from "../../../support/providers/ollama.ts";
import { answerChunks } from "../../../support/providers/server.ts";
import { PROVIDER_WIRES } from "../../../support/providers/wires.ts";

const wire = PROVIDER_WIRES.find(({ provider }) => provider === "ollama")!;
const line = (part: object) =>
  Buffer.from(`${JSON.stringify({ model: "m", created_at: "2026-01-01T00:00:00Z", ...part })}\n`);
const END = line({ message: { role: "assistant", content: "" }, done: true });

/** An engine whose only model is of this server, and a workspace. */
async function openEngine(server: PlayedOllama, input: object = {}) {
  const test = await createTestEngine({ fetch });
  const body = { provider: "ollama", model: "m", baseUrl: server.url, ...input };
  const { id } = await json(await test.call("POST", "/model-configurations", body), 201);
  const workspace = await json(
    await test.call("POST", "/workspaces", {
      name: "w",
      defaultModelId: id,
      approvalConfig: NOTHING_ASKED,
    }),
  );
  const ask = async (content: string) => {
    const path = `/workspaces/${workspace.uuid}/turns`;
    const turn = await json(await test.call("POST", path, { content }), 202);
    await using events = await openEventStream(test, `/turns/${turn.uuid}/events`);
    return (await events.rest()).at(-1)?.data;
  };
  return { test, id, ask, [Symbol.asyncDispose]: () => test[Symbol.asyncDispose]() };
}

describe("The effort of a turn with Ollama", () => {
  const CASES: [model: string, effort: ReasoningEffort | undefined, think: unknown][] = [
    ["qwen3", undefined, undefined],
    ["qwen3", "off", false],
    ["qwen3", "low", true],
    ["qwen3", "high", true],
    ["gpt-oss:20b", "off", false],
    ["gpt-oss:20b", "low", "low"],
    ["hf.co/unsloth/gpt-oss-20b", "high", "high"],
  ];
  for (const [model, reasoningEffort, think] of CASES) {
    it(`${reasoningEffort} is ${think} for ${model}`, async () => {
      await using bench = await createProviderBench({ ...wire, configuration: { model } });
      bench.server.script(answerChunks(wire.contentType, wire.chunks([{ text: "done" }])));
      await runStep(bench.model, { ...REQUEST, reasoningEffort });
      const { body, headers } = bench.server.exchanges[0]!;
      assert.equal(body.think, think);
      assert.ok(!Object.keys(headers).some((name) => name.includes("effort")));
      assert.equal(body.options.num_ctx, 32_768);
    });
  }
});

describe("A turn of a model of Ollama", () => {
  it("of 12,000 tokens arrives whole, instructions, tools and end", async () => {
    await using server = await startPlayedOllama({ m: {} });
    await using engine = await openEngine(server, { contextWindow: 32_768 });
    const question = `BEGIN ${"word ".repeat(9_600)} END`;
    assert.equal((await engine.ask(question)).state, "completed");
    const [{ body, prompt }] = server.chats as [PlayedOllama["chats"][0]];
    assert.equal(body.options.num_ctx, 32_768);
    assert.equal(prompt, JSON.stringify([body.tools, ...body.messages]));
    assert.equal(body.messages[0].role, "system");
    assert.equal(body.messages.at(-1).content, question);
    assert.ok(body.tools.length > 10);
  });

  it("carries the window that its server says, and stays below it", async () => {
    await using server = await startPlayedOllama({ m: { contextLength: 8_192 } });
    await using engine = await openEngine(server);
    for (const at of [1, 2, 3, 4]) await engine.ask(`${at} ${"word ".repeat(2_000)}`);
    for (const { body, prompt } of server.chats) {
      assert.equal(body.options.num_ctx, 8_192);
      assert.equal(prompt, JSON.stringify([body.tools, ...body.messages]));
    }
    assert.deepEqual(server.shown, ["m"], "asked once");
  });

  it("calls tools and sends thinking back within the turn", async () => {
    await using server = await startPlayedOllama({ m: {} });
    await using engine = await openEngine(server);
    server.reply({ call: "get_current_time", args: {}, thinking: "Hm." }, "Noon.");
    const { state } = await engine.ask("What time is it?");
    assert.equal(state, "completed");
    const [call, result] = server.chats[1]!.body.messages.slice(-2);
    assert.equal(call.tool_calls[0].function.name, "get_current_time");
    assert.equal(call.thinking, "Hm.");
    assert.equal(result.role, "tool");
    assert.equal(result.tool_call_id, call.tool_calls[0].id);
  });

  it("answers without tools where the model takes none, which is remembered", async () => {
    await using server = await startPlayedOllama({ m: { hasTools: false } });
    await using engine = await openEngine(server);
    for (const content of ["hello", "and now?"]) {
      const turn = await engine.ask(content);
      assert.equal(turn.state, "completed");
      assert.equal(server.chats.at(-1)!.body.messages.at(-1).content, content);
    }
    assert.deepEqual([server.chats.length, server.refused], [2, 1]);
  });
});

describe("A step of a model of Ollama", () => {
  it("says nothing of thinking, and has its parameters among the options", async () => {
    await using bench = await createProviderBench(wire);
    bench.server.script(answerChunks(wire.contentType, wire.chunks([{ text: "ok" }])));
    await runStep(bench.model);
    const { body, path } = bench.server.exchanges[0]!;
    assert.equal(path, "/api/chat");
    assert.deepEqual(Object.keys(body).sort(), ["messages", "model", "options", "stream"]);
    assert.deepEqual(body.options, { num_ctx: 32_768 });
  });

  it("sends images as such, texts as texts, and says what it leaves out", async () => {
    await using bench = await createProviderBench(wire);
    const bytes = new TextEncoder().encode("Some bytes, ä");
    const base64 = Buffer.from(bytes).toString("base64");
    for (const content of ["Look", ""]) {
      bench.server.script(answerChunks(wire.contentType, wire.chunks([{ text: "ok" }])));
      const attachments = [
        { name: "a.png", mediaType: "image/png", bytes },
        { name: "b.csv", mediaType: "text/csv", bytes },
        { name: "c.pdf", mediaType: "application/pdf", bytes },
        { name: "d.txt", mediaType: "text/plain", bytes: new Uint8Array([0xff, 0xfe]) },
      ];
      const messages = [{ role: "user" as const, content, attachments }];
      assert.equal((await runStep(bench.model, { ...REQUEST, messages })).text, "ok");
      const sent = bench.server.exchanges.at(-1)!.body.messages.at(-1);
      assert.deepEqual(sent.images, [base64]);
      assert.match(sent.content, /^(Look)?\n\nThe attachment b\.csv:\nSome bytes, ä/);
      assert.match(sent.content, /attachment c\.pdf of the type application\/pdf is left out/);
      assert.match(sent.content, /attachment d\.txt of the type text\/plain is left out/);
    }
    bench.server.script(answerChunks(wire.contentType, wire.chunks([{ text: "ok" }])));
    const attachments = [{ name: "a.png", mediaType: "image/png", bytes }];
    const messages = [{ role: "user" as const, content: "", attachments }];
    await runStep(bench.model, { ...REQUEST, messages });
    assert.equal(bench.server.exchanges.at(-1)!.body.messages.at(-1).content, "");
  });

  it("is complete where an older server gives no reason for its end", async () => {
    await using bench = await createProviderBench(wire);
    const text = line({ message: { role: "assistant", content: "hi" }, done: false });
    bench.server.script(answerChunks(wire.contentType, [text, END.subarray(0, END.length - 1)]));
    const outcome = await runStep(bench.model);
    assert.equal(outcome.text, "hi");
    assert.ok(outcome.end);
  });

  for (const [what, broken, sentence] of [
    ["an error", line({ error: "the model runner has stopped" }), /It said: the model runner has/],
    ["a line that is no JSON", Buffer.from("{nothing\n"), /could not be understood/],
    ["a line of another form", line({ done: true }), /could not be understood/],
    ["a line that is no text", Buffer.from([0xff, 0x0a]), /could not be understood/],
    ["no last part after a call", Buffer.alloc(0), /broke off before it was complete/],
  ] as const) {
    it(`fails with a sentence, and nothing on the terminal, at ${what}`, async (t) => {
      const warn = t.mock.method(console, "warn", () => {});
      await using bench = await createProviderBench(wire);
      const call = { function: { name: "read_x", arguments: {} } };
      const begun = line({ message: { role: "assistant", content: "", tool_calls: [call] } });
      const chunks = [line({ message: { role: "assistant", content: "a" }, done: false }), begun];
      bench.server.script(answerChunks(wire.contentType, [...chunks, broken]));
      assertFailure(bench, await runStep(bench.model), sentence);
      assert.equal(warn.mock.callCount(), 0);
    });
  }
});
