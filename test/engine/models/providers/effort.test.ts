// Slow: it starts a server for each level of each provider.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ModelPart, ReasoningEffort } from "../../../../engine/models/language-model.ts";
import { createProviderBench, REQUEST, runStep } from "../../../support/providers/harness.ts";
import { answerChunks } from "../../../support/providers/server.ts";
import { PROVIDER_WIRES, toBedrockFrame } from "../../../support/providers/wires.ts";

const wireOf = (provider: string) => PROVIDER_WIRES.find((wire) => wire.provider === provider)!;

/** The body of a request with this effort. */
async function bodyFor(provider: string, model: string, reasoningEffort?: ReasoningEffort) {
  const wire = wireOf(provider);
  const configuration = { ...wire.configuration, model };
  await using bench = await createProviderBench({ ...wire, configuration });
  bench.server.script(answerChunks(wire.contentType, wire.chunks([{ text: "done" }])));
  const { failure } = await runStep(bench.model, { ...REQUEST, reasoningEffort });
  assert.equal(failure, undefined);
  return bench.server.exchanges[0]!.body;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies have every shape.
type Body = any;

const thinkingOf = (body: Body) => ({
  thinking: body.thinking,
  effort: body.output_config?.effort,
});
const CASES: [
  provider: string,
  model: string,
  read: (body: Body) => unknown,
  sent: Record<ReasoningEffort | "none", unknown>,
][] = [
  [
    "anthropic",
    "claude-sonnet-4-5",
    (body) => body.thinking?.type,
    { none: undefined, off: "disabled", low: "enabled", medium: "enabled", high: "enabled" },
  ],
  [
    "anthropic",
    "claude-opus-4-6",
    (body) => thinkingOf(body).effort,
    { none: undefined, off: undefined, low: "low", medium: "medium", high: "high" },
  ],
  [
    "google",
    "gemini-3-pro-preview",
    (body) => body.generationConfig?.thinkingConfig?.thinkingLevel,
    { none: undefined, off: "low", low: "low", medium: "medium", high: "high" },
  ],
  [
    "google",
    "gemini-2.5-flash",
    (body) => body.generationConfig?.thinkingConfig?.includeThoughts,
    { none: undefined, off: undefined, low: true, medium: true, high: true },
  ],
  [
    "openai",
    "gpt-5.2",
    (body) => body.reasoning?.effort,
    { none: undefined, off: "none", low: "low", medium: "medium", high: "high" },
  ],
  [
    "bedrock",
    "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    (body) => body.additionalModelRequestFields?.thinking?.type,
    { none: undefined, off: undefined, low: "enabled", medium: "enabled", high: "enabled" },
  ],
  [
    "openai-compatible",
    "qwen3",
    (body) => body.reasoning_effort,
    { none: undefined, off: "none", low: "low", medium: "medium", high: "high" },
  ],
];

describe("the effort of a turn", () => {
  for (const [provider, model, read, sent] of CASES) {
    for (const [effort, expected] of Object.entries(sent)) {
      it(`${effort} reaches ${provider} (${model}) in its own form`, async () => {
        const given = effort === "none" ? undefined : (effort as ReasoningEffort);
        assert.deepEqual(read(await bodyFor(provider, model, given)), expected);
      });
    }
  }
});

const sse = (data: object) => Buffer.from(`data: ${JSON.stringify(data)}\n\n`);
const chunk = (delta: object, finish_reason: string | null = null) =>
  sse({ id: "c", choices: [{ index: 0, delta, finish_reason }] });
const bedrock = (contentBlockIndex: number, delta: object) =>
  toBedrockFrame("contentBlockDelta", { contentBlockIndex, delta });
const anthropic = (type: string, data: object = {}) => sse({ type, ...data });
const block = (index: number, delta: object) => anthropic("content_block_delta", { index, delta });

describe("the thinking of a model", () => {
  const THOUGHT: Record<string, () => Uint8Array[]> = {
    "openai-compatible": () => [
      chunk({ reasoning_content: "first " }),
      chunk({ reasoning_content: "thought" }),
      chunk({ content: "answer" }),
      chunk({}, "stop"),
    ],
    anthropic: () => [
      anthropic("message_start", {
        message: { id: "m", role: "assistant", usage: { input_tokens: 1, output_tokens: 1 } },
      }),
      anthropic("content_block_start", {
        index: 0,
        content_block: { type: "thinking", thinking: "" },
      }),
      block(0, { type: "thinking_delta", thinking: "first " }),
      block(0, { type: "thinking_delta", thinking: "thought" }),
      block(0, { type: "signature_delta", signature: "s" }),
      anthropic("content_block_stop", { index: 0 }),
      anthropic("content_block_start", { index: 1, content_block: { type: "text", text: "" } }),
      block(1, { type: "text_delta", text: "answer" }),
      anthropic("content_block_stop", { index: 1 }),
      anthropic("message_delta", {
        delta: { stop_reason: "end_turn" },
        usage: { output_tokens: 2 },
      }),
      anthropic("message_stop"),
    ],
    google: () => [
      sse({
        candidates: [{ content: { role: "model", parts: [{ text: "first ", thought: true }] } }],
      }),
      sse({
        candidates: [
          {
            content: {
              role: "model",
              parts: [{ text: "thought", thought: true }, { text: "answer" }],
            },
            finishReason: "STOP",
          },
        ],
      }),
    ],
    bedrock: () => [
      bedrock(0, { reasoningContent: { text: "first " } }),
      bedrock(0, { reasoningContent: { text: "thought" } }),
      toBedrockFrame("contentBlockStop", { contentBlockIndex: 0 }),
      bedrock(1, { text: "answer" }),
      toBedrockFrame("contentBlockStop", { contentBlockIndex: 1 }),
      toBedrockFrame("messageStop", { stopReason: "end_turn" }),
    ],
  };
  for (const [provider, chunks] of Object.entries(THOUGHT)) {
    it(`of ${provider} is apart from its answer`, async () => {
      const wire = wireOf(provider);
      await using bench = await createProviderBench(wire);
      bench.server.script(answerChunks(wire.contentType, chunks()));
      const { parts, text } = await runStep(bench.model);
      assert.equal(text, "answer");
      assert.equal(thoughtsOf(parts), "first thought");
    });
  }

  it("has an empty line between two thoughts of a step", async () => {
    const wire = wireOf("openai");
    await using bench = await createProviderBench(wire);
    const event = (type: string, data: object) => sse({ type, ...data });
    const item = { type: "reasoning", id: "rs", encrypted_content: null, summary: [] };
    const part = (summary_index: number, delta: string) => [
      event("response.reasoning_summary_part.added", { item_id: "rs", summary_index }),
      event("response.reasoning_summary_text.delta", { item_id: "rs", summary_index, delta }),
    ];
    const chunks = [
      event("response.created", { response: { id: "r", created_at: 1, model: "m" } }),
      event("response.output_item.added", { output_index: 0, item }),
      ...part(0, "one"),
      ...part(1, "two"),
      event("response.output_item.done", { output_index: 0, item }),
      event("response.completed", {
        response: { usage: { input_tokens: 1, output_tokens: 1 } },
      }),
    ];
    bench.server.script(answerChunks(wire.contentType, chunks));
    assert.equal(thoughtsOf((await runStep(bench.model)).parts), "one\n\ntwo");
  });
});

function thoughtsOf(parts: readonly ModelPart[]): string {
  return parts.map((part) => (part.type === "reasoning" ? part.text : "")).join("");
}
