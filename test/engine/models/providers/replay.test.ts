// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createProviderBench, REQUEST, runStep } from "../../../support/providers/harness.ts";
import { answerChunks } from "../../../support/providers/server.ts";
import { PROVIDER_WIRES, toBedrockFrame } from "../../../support/providers/wires.ts";

const sse = (data: object) => Buffer.from(`data: ${JSON.stringify(data)}\n\n`);
const TOOLS = [{ name: "read_x", doc: "Reads x.", parameters: { type: "object", properties: {} } }];

/** As providers make them: long, in base64 of both alphabets, and with what JSON may escape. */
const SIGNATURE = `${"ErUBCkYIBxgCIkA+/".repeat(500)}-_=="\\\u2028é`;

const wireOf = (provider: string) => PROVIDER_WIRES.find((wire) => wire.provider === provider)!;

/** A step in which the model thinks and calls a tool; then what its provider is sent with the result. */
async function sentBack(provider: string, chunks: readonly Uint8Array[], more: object = {}) {
  const wire = { ...wireOf(provider), ...more };
  await using bench = await createProviderBench(wire);
  const before = wire.chunks([{ text: "done" }]);
  bench.server.script(
    answerChunks(wire.contentType, chunks),
    answerChunks(wire.contentType, before),
  );
  const { text, calls, end } = await runStep(bench.model, { ...REQUEST, tools: TOOLS });
  assert.equal(text.includes("thinking"), false, "thoughts are not said");
  assert.equal(calls.length, 1);
  const step = { role: "step" as const, content: text, calls, replay: end?.replay };
  const results = calls.map((call) => ({ ...call, output: "result", failed: false }));
  const messages = [...REQUEST.messages, step, { role: "tool" as const, results }];
  await runStep(bench.model, { ...REQUEST, messages, tools: TOOLS });
  return bench.server.exchanges[1]!.body;
}

describe("The thinking of a model before a tool call", () => {
  it("is sent back to Anthropic with its signature", async () => {
    const chunks = [
      sse({
        type: "message_start",
        message: { id: "m", role: "assistant", usage: { input_tokens: 1, output_tokens: 1 } },
      }),
      sse({
        type: "content_block_start",
        index: 0,
        content_block: { type: "thinking", thinking: "" },
      }),
      sse({
        type: "content_block_delta",
        index: 0,
        delta: { type: "thinking_delta", thinking: "thinking" },
      }),
      sse({
        type: "content_block_delta",
        index: 0,
        delta: { type: "signature_delta", signature: SIGNATURE },
      }),
      sse({ type: "content_block_stop", index: 0 }),
      sse({
        type: "content_block_start",
        index: 1,
        content_block: { type: "redacted_thinking", data: SIGNATURE },
      }),
      sse({ type: "content_block_stop", index: 1 }),
      sse({
        type: "content_block_start",
        index: 2,
        content_block: { type: "tool_use", id: "c", name: "read_x", input: {} },
      }),
      sse({ type: "content_block_stop", index: 2 }),
      sse({
        type: "message_delta",
        delta: { stop_reason: "tool_use" },
        usage: { output_tokens: 2 },
      }),
      sse({ type: "message_stop" }),
    ];
    const { messages } = await sentBack("anthropic", chunks);
    assert.deepEqual(messages[1].content, [
      { type: "thinking", thinking: "thinking", signature: SIGNATURE },
      { type: "redacted_thinking", data: SIGNATURE },
      { type: "tool_use", id: "c", name: "read_x", input: {} },
    ]);
  });

  it("is sent back to Google with its signature", async () => {
    const parts = [
      { text: "thinking", thought: true },
      { functionCall: { name: "read_x", args: {} }, thoughtSignature: SIGNATURE },
    ];
    const content = { role: "model", parts };
    const chunks = [sse({ candidates: [{ content, finishReason: "STOP" }] })];
    const { contents } = await sentBack("google", chunks);
    const back = contents[1].parts.find((part: object) => "functionCall" in part);
    assert.equal(back.thoughtSignature, SIGNATURE);
  });

  it("is sent back to Bedrock with its signature", async () => {
    const delta = (value: object) =>
      toBedrockFrame("contentBlockDelta", {
        contentBlockIndex: 0,
        delta: { reasoningContent: value },
      });
    const chunks = [
      delta({ text: "thinking" }),
      delta({ signature: SIGNATURE }),
      toBedrockFrame("contentBlockStop", { contentBlockIndex: 0 }),
      toBedrockFrame("contentBlockStart", {
        contentBlockIndex: 1,
        start: { toolUse: { toolUseId: "c", name: "read_x" } },
      }),
      toBedrockFrame("contentBlockStop", { contentBlockIndex: 1 }),
      toBedrockFrame("messageStop", { stopReason: "tool_use" }),
    ];
    const { messages } = await sentBack("bedrock", chunks);
    assert.deepEqual(messages[1].content[0].reasoningContent, {
      reasoningText: { text: "thinking", signature: SIGNATURE },
    });
  });

  it("is sent back to OpenAI in its encrypted form, as OpenAI is to store nothing", async () => {
    const event = (type: string, data: object) => sse({ type, ...data });
    const response = { id: "r", created_at: 1, model: "m" };
    const reasoning = { type: "reasoning", id: "rs-1", encrypted_content: SIGNATURE, summary: [] };
    const call = {
      type: "function_call",
      id: "fc-1",
      call_id: "c",
      name: "read_x",
      arguments: "{}",
    };
    const chunks = [
      event("response.created", { response }),
      event("response.output_item.added", {
        output_index: 0,
        item: { ...reasoning, encrypted_content: null },
      }),
      event("response.output_item.done", { output_index: 0, item: reasoning }),
      event("response.output_item.added", { output_index: 1, item: { ...call, arguments: "" } }),
      event("response.output_item.done", {
        output_index: 1,
        item: { ...call, status: "completed" },
      }),
      event("response.completed", {
        response: { ...response, usage: { input_tokens: 1, output_tokens: 1 } },
      }),
    ];
    const body = await sentBack("openai", chunks);
    assert.equal(body.store, false);
    const back = body.input.find(({ type }: { type?: string }) => type === "reasoning");
    assert.equal(back?.encrypted_content, SIGNATURE);
  });

  it("is sent back to servers like OpenAI's as reasoning_content", async () => {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      sse({ id: "c", choices: [{ index: 0, delta, finish_reason }] });
    const tool_calls = [{ index: 0, id: "c", function: { name: "read_x", arguments: "{}" } }];
    const chunks = [
      chunk({ reasoning_content: "thinking" }),
      chunk({ tool_calls }),
      chunk({}, "tool_calls"),
    ];
    const { messages } = await sentBack("openai-compatible", chunks);
    assert.equal(messages.at(-2).reasoning_content, "thinking");
  });
});

for (const provider of ["openai-compatible", "openai", "anthropic"]) {
  it(`arguments of ${provider} that are nested too deeply to be sent back are empty ones`, async () => {
    const deep = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    const wire = wireOf(provider);
    const said = [{ call: { id: "c1", name: "read_x", fragments: [deep] } }];
    const body = JSON.stringify(await sentBack(provider, wire.chunks(said)));
    assert.match(body, /"c1"/);
    assert.match(body, /"result"/);
    assert.ok(!body.includes("[[["), "the arguments");
  });
}
