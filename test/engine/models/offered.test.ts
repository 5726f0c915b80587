import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestEngine } from "../../support/engine/engine.ts";
import { json } from "../../support/http.ts";

/** An engine whose network has one answer, and what was asked. */
async function setUp(answer: () => Response | Promise<Response>) {
  const asked: { url: string; headers: Headers; redirect: string | undefined }[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    asked.push({
      url: String(input),
      headers: new Headers(init?.headers),
      redirect: init?.redirect,
    });
    return answer();
  };
  const test = await createTestEngine({ fetch: fetch as typeof globalThis.fetch });
  const list = (body: object) => test.call("POST", "/provider-models", body);
  return { asked, list, [Symbol.asyncDispose]: () => test[Symbol.asyncDispose]() };
}

describe("POST /provider-models", () => {
  const providers = [
    [
      { provider: "openai", apiKey: " key " },
      "https://api.openai.com/v1/models",
      ["authorization", "Bearer key"],
      { data: [{ id: "gpt-4o" }, { id: "a", context_length: 8192 }, { id: 7 }, "x"] },
      [
        { id: "a", contextWindow: 8192 },
        { id: "gpt-4o", contextWindow: 128_000 },
      ],
    ],
    [
      { provider: "anthropic", apiKey: "key" },
      "https://api.anthropic.com/v1/models?limit=1000",
      ["x-api-key", "key"],
      { data: [{ id: "new", max_input_tokens: 300_000 }] },
      [{ id: "new", contextWindow: 300_000 }],
    ],
    [
      { provider: "google", apiKey: "key" },
      "https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000",
      ["x-goog-api-key", "key"],
      { models: [{ name: "models/new", inputTokenLimit: 1000 }] },
      [{ id: "new", contextWindow: 1000 }],
    ],
    [
      { provider: "Ollama", baseUrl: "http://127.0.0.1:1/v1" },
      "http://127.0.0.1:1/api/tags",
      ["authorization", null],
      { models: [{ name: "unheard-of" }] },
      [{ id: "unheard-of", contextWindow: null }],
    ],
  ] as const;
  for (const [input, url, [header, value], answer, offered] of providers) {
    it(`asks ${input.provider} with the key in a header, and follows no redirect`, async () => {
      await using test = await setUp(() => Response.json(answer));
      assert.deepEqual(await json(await test.list(input)), offered);
      assert.equal(test.asked[0]?.url, url);
      assert.equal(test.asked[0]?.headers.get(header), value);
      assert.equal(test.asked[0]?.redirect, "manual");
    });
  }

  const refused: [what: string, input: object, status: number, asks: number][] = [
    ["no provider", {}, 400, 0],
    ["a provider without a list", { provider: "bedrock", baseUrl: "http://a" }, 400, 0],
    ["no address", { provider: "openai-compatible" }, 400, 0],
    ["an address with credentials", { provider: "openai", baseUrl: "http://a:b@c" }, 400, 0],
    ["a provider that refuses", { provider: "openai", apiKey: "bad" }, 502, 1],
  ];
  for (const [what, input, status, asks] of refused) {
    it(`answers ${status} for ${what}`, async () => {
      await using test = await setUp(() => Response.json({ error: "bad" }, { status: 401 }));
      const response = await test.list(input);
      assert.equal(response.status, status);
      assert.ok(!(await response.text()).includes('"bad"'));
      assert.equal(test.asked.length, asks);
    });
  }
});
