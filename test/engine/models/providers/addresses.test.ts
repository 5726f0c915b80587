// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { resolveModel } from "../../../../engine/models/resolve.ts";
import { createTestEngine } from "../../../support/engine/engine.ts";
import { json } from "../../../support/http.ts";
import { createProviderBench, REQUEST, runStep } from "../../../support/providers/harness.ts";
import { answerChunks, answerStatus } from "../../../support/providers/server.ts";
import { PROVIDER_WIRES } from "../../../support/providers/wires.ts";

const KEY = "sk-canary-0123456789abcdef";

/** Where the first request of a configuration goes, and with what. */
async function firstRequest(input: object): Promise<{ url: string; headers: Headers }> {
  const asked: { url: string; headers: Headers }[] = [];
  await using test = await createTestEngine({
    fetch: async (url, init) => {
      asked.push({ url: String(url), headers: new Headers(init?.headers) });
      return new Response("{}", { status: 400 });
    },
  });
  const body = { model: "m", apiKey: KEY, ...input };
  const { id } = await json(await test.call("POST", "/model-configurations", body), 201);
  const choice = { requested: id, threadDefault: null, workspaceDefault: null };
  const model = await (await resolveModel(test.deps, choice)).create(32_768);
  assert.ok((await runStep(model)).failure);
  return asked[0]!;
}

describe("A configured model is requested at", () => {
  const base = "http://127.0.0.1:9";
  for (const [input, url] of [
    [{ provider: "openai" }, "https://api.openai.com/v1/responses"],
    [{ provider: "OpenAI " }, "https://api.openai.com/v1/responses"],
    [
      { provider: "openai", baseUrl: "https://eu.api.openai.com/v1/" },
      "https://eu.api.openai.com/v1/responses",
    ],
    [
      { provider: "openai", baseUrl: "https://api.openai.com" },
      "https://api.openai.com/v1/responses",
    ],
    [{ provider: "openai", baseUrl: `${base}/v1` }, `${base}/v1/chat/completions`],
    [
      { provider: "openai", baseUrl: "https://evilopenai.com/v1" },
      "https://evilopenai.com/v1/chat/completions",
    ],
    [{ provider: "anthropic" }, "https://api.anthropic.com/v1/messages"],
    [{ provider: "anthropic", baseUrl: base }, `${base}/v1/messages`],
    [{ provider: "anthropic", baseUrl: `${base}/proxy/v1/` }, `${base}/proxy/v1/messages`],
    [
      { provider: "google" },
      "https://generativelanguage.googleapis.com/v1beta/models/m:streamGenerateContent?alt=sse",
    ],
    [
      { provider: "google", baseUrl: `${base}/` },
      `${base}/v1beta/models/m:streamGenerateContent?alt=sse`,
    ],
    [
      { provider: "bedrock", region: "eu-west-1" },
      "https://bedrock-runtime.eu-west-1.amazonaws.com/model/m/converse-stream",
    ],
    [
      { provider: "bedrock", region: "cn-north-1" },
      "https://bedrock-runtime.cn-north-1.amazonaws.com.cn/model/m/converse-stream",
    ],
    [{ provider: "ollama" }, "http://127.0.0.1:11434/api/chat"],
    [{ provider: "ollama", baseUrl: base }, `${base}/api/chat`],
    [{ provider: "ollama", baseUrl: `${base}/v1` }, `${base}/api/chat`],
    [{ provider: "ollama", baseUrl: `${base}/proxy/v1/` }, `${base}/proxy/api/chat`],
    [
      { provider: "openai-compatible", baseUrl: ` ${base}/api/v1// ` },
      `${base}/api/v1/chat/completions`,
    ],
    [{ provider: "openai-compatible", baseUrl: base }, `${base}/chat/completions`],
    [{ provider: "another-name", baseUrl: `${base}/v1` }, `${base}/v1/chat/completions`],
  ] as const) {
    it(`${url} where it is ${JSON.stringify(input)}`, async () => {
      assert.equal((await firstRequest(input)).url, url);
    });
  }

  it("its address without a key where it needs none", async () => {
    const { headers } = await firstRequest({ provider: "ollama", apiKey: null });
    assert.equal(headers.get("authorization"), null);
  });

  it("its address with the key trimmed", async () => {
    const { headers } = await firstRequest({ provider: "ollama", apiKey: ` ${KEY}\n` });
    assert.equal(headers.get("authorization"), `Bearer ${KEY}`);
  });
});

describe("A server that answers 404", () => {
  const wire = PROVIDER_WIRES[0]!;
  for (const [basePath, hint] of [
    [
      "",
      / \(404\)\. The base URL of this model has no path: most servers need \/v1 at its end\. It said/,
    ],
    ["/v1", / \(404\)\. It said/],
  ] as const) {
    it(`gets ${basePath ? "no hint" : "a hint"} where the path of its base URL is "${basePath}"`, async () => {
      await using bench = await createProviderBench({ ...wire, basePath });
      bench.server.script(answerStatus(404, {}));
      assert.match((await runStep(bench.model, REQUEST)).failure?.message ?? "", hint);
    });
  }
});

describe("A careless server of chat completions", () => {
  const wire = PROVIDER_WIRES[0]!;
  const chunk = (delta: object) =>
    Buffer.from(`data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`);

  for (const end of ["data: [DONE]\n\n", "data: [DONE]", "data: [DONE]\r\n\r\n"]) {
    it(`is complete where it sends a final [DONE] without a reason: ${JSON.stringify(end)}`, async () => {
      await using bench = await createProviderBench(wire);
      const chunks = [chunk({ role: "assistant" }), chunk({ content: "hi" }), Buffer.from(end)];
      bench.server.script(answerChunks(wire.contentType, chunks));
      const { text, end: ended } = await runStep(bench.model, REQUEST);
      assert.equal(text, "hi");
      assert.ok(ended);
    });
  }
});
