// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { describe, it } from "node:test";
import { findKnownWindow } from "../../../engine/models/known-windows.ts";
import { resolveModel } from "../../../engine/models/resolve.ts";
import { createTestEngine, type TestEngine } from "../../support/engine/engine.ts";
import { closeServer, listenOnLoopback } from "../../support/fake-server.ts";
import { json } from "../../support/http.ts";
import { startPlayedOllama } from "../../support/providers/ollama.ts";

const SIGNAL = new AbortController().signal;

async function configure(test: TestEngine, input: object): Promise<string> {
  const body = { provider: "openai-compatible", model: "m", ...input };
  return (await json(await test.call("POST", "/model-configurations", body), 201)).id;
}

async function read(test: TestEngine, id: string) {
  return json(await test.call("GET", `/model-configurations/${id}/context`));
}

/** As a turn finds it before its first step. */
async function ofTurn(test: TestEngine, id: string) {
  const choice = { requested: id, threadDefault: null, workspaceDefault: null };
  return (await resolveModel(test.deps, choice)).window(SIGNAL);
}

/** A server of these JSON documents by their paths, which answers once it may. */
async function startServer(documents: Readonly<Record<string, unknown>>, may = Promise.resolve()) {
  const asked: { path: string; headers: Record<string, unknown> }[] = [];
  const server = createServer(async ({ url = "", headers }, response) => {
    asked.push({ path: url, headers });
    await may;
    const found = documents[url];
    if (found === undefined) return void response.writeHead(404).end("{}");
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(found));
  });
  return {
    url: await listenOnLoopback(server),
    asked,
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}

const LISTED = { data: [{ id: "m" }] };
const BOTH = { data: [{ id: "m" }, { id: "other" }] };
const props = (n_ctx: unknown) => ({ default_generation_settings: { n_ctx } });

describe("The context window that a server of this machine says", () => {
  for (const [what, documents, expected] of [
    [
      "LM Studio, loaded",
      {
        "/v1/models": BOTH,
        "/api/v0/models": {
          data: [{ id: "m", loaded_context_length: 12_000, max_context_length: 131_072 }],
        },
      },
      12_000,
    ],
    [
      "LM Studio, not loaded",
      { "/v1/models": BOTH, "/api/v0/models": { data: [{ id: "m", max_context_length: 9_000 }] } },
      9_000,
    ],
    ["llama.cpp with one model", { "/v1/models": LISTED, "/props": props(7_168) }, 7_168],
    ["llama.cpp with several models", { "/v1/models": BOTH, "/props": props(7_168) }, undefined],
    ["vLLM", { "/v1/models": { data: [{ id: "m", max_model_len: 40_000 }] } }, 40_000],
    ["OpenRouter's form", { "/v1/models": { data: [{ id: "m", context_length: 5_000 }] } }, 5_000],
    ["another model", { "/v1/models": { data: [{ id: "x", max_model_len: 1 }] } }, undefined],
    ...([0, -1, 1.5, "4096", null] as const).map(
      (value) =>
        [
          `no whole number: ${JSON.stringify(value)}`,
          { "/v1/models": { data: [{ id: "m", max_model_len: value }] } },
          undefined,
        ] as const,
    ),
    ["a list that is none", { "/v1/models": [1] }, undefined],
  ] as const) {
    it(`is that of ${what}, for turn and route, and asked once`, async (t) => {
      const { promise: joined, resolve: answer } = Promise.withResolvers<void>();
      await using server = await startServer(documents, joined);
      await using test = await createTestEngine({ fetch });
      const id = await configure(test, { baseUrl: `${server.url}/v1`, apiKey: "k-1" });
      const window =
        expected === undefined
          ? { window: 32_768, source: "assumed" }
          : { window: expected, source: "server" };
      // Two turns at once ask once.
      const finds = t.mock.method(test.deps.serverModels, "findWindow");
      const found = Promise.all([ofTurn(test, id), ofTurn(test, id)]);
      while (finds.mock.callCount() < 2) await new Promise(setImmediate);
      answer();
      assert.deepEqual(await found, [window, window]);
      assert.equal(new Set(server.asked.map(({ path }) => path)).size, server.asked.length);
      const { length } = server.asked;
      assert.deepEqual(await read(test, id), window);
      if (what !== "a list that is none") assert.equal(server.asked.length, length);
      for (const { headers } of server.asked) assert.equal(headers.authorization, "Bearer k-1");
    });
  }

  it("is asked for again where the model or the address changed, or nothing answered", async () => {
    await using server = await startServer({
      "/v1/models": {
        data: [
          { id: "m", max_model_len: 1_000 },
          { id: "n", max_model_len: 2_000 },
        ],
      },
    });
    await using test = await createTestEngine({ fetch });
    const gone = "http://127.0.0.1:1/v1";
    const id = await configure(test, { baseUrl: gone });
    assert.equal((await ofTurn(test, id)).source, "assumed");
    const change = (input: object) =>
      test.call("PUT", `/model-configurations/${id}`, { provider: "openai-compatible", ...input });
    for (const [model, window] of [
      ["m", 1_000],
      ["n", 2_000],
    ] as const) {
      await change({ model, baseUrl: `${server.url}/v1` });
      assert.equal((await ofTurn(test, id)).window, window);
    }
    await change({ model: "n", baseUrl: gone });
    assert.equal((await ofTurn(test, id)).source, "assumed");
  });

  it("is given up after a second, and follows no redirect", async () => {
    const asked: RequestInit[] = [];
    await using test = await createTestEngine({
      fetch: async (_url, init = {}) => {
        asked.push(init);
        return new Promise((_, reject) => {
          init.signal?.addEventListener("abort", () => reject(init.signal?.reason));
        });
      },
    });
    const id = await configure(test, { baseUrl: "http://127.0.0.1:1/v1" });
    const found = ofTurn(test, id);
    while (asked.length < 3) await new Promise(setImmediate);
    test.deps.clock.advance(1_000);
    assert.deepEqual(await found, { window: 32_768, source: "assumed" });
    assert.deepEqual([...new Set(asked.map(({ redirect }) => redirect))], ["manual"]);
  });
});

describe("The context window of a hosted model", () => {
  it("is asked for when it is tested or read, not before a turn", async () => {
    const asked: string[] = [];
    await using test = await createTestEngine({
      fetch: async (url) => {
        asked.push(String(url));
        return Response.json({ data: [{ id: "m", context_length: 200_000 }] });
      },
    });
    const id = await configure(test, { baseUrl: "https://openrouter.test/api/v1" });
    assert.deepEqual(await ofTurn(test, id), { window: 32_768, source: "assumed" });
    assert.deepEqual(asked, []);
    assert.deepEqual(await read(test, id), { window: 200_000, source: "server" });
    assert.deepEqual(asked, ["https://openrouter.test/api/v1/models"]);
    assert.deepEqual(await ofTurn(test, id), { window: 200_000, source: "server" });
    const other = await configure(test, { baseUrl: "https://openrouter.test/api/v1" });
    await test.call("POST", `/model-configurations/${other}/test`);
    assert.deepEqual(await ofTurn(test, other), { window: 200_000, source: "server" });
  });

  it("is the stated one before all, and that of its family where nothing is said", async () => {
    await using test = await createTestEngine({ fetch: () => Promise.reject(new Error("asked")) });
    const stated = await configure(test, { baseUrl: "http://127.0.0.1:1/v1", contextWindow: 5 });
    assert.deepEqual(await read(test, stated), { window: 5, source: "stated" });
    for (const [provider, model, expected] of [
      ["openai", "gpt-4o-mini", { window: 128_000, source: "known" }],
      ["anthropic", "claude-sonnet-4-5", { window: 200_000, source: "known" }],
      ["openai", "something-new", { window: 32_768, source: "assumed" }],
      ["echo", "m", { window: 32_768, source: "assumed" }],
      ["banana", "m", { window: 32_768, source: "assumed" }],
    ] as const) {
      const id = await configure(test, { provider, model, apiKey: "k" });
      assert.deepEqual(await read(test, id), expected);
    }
  });

  it("is 404 for an unknown configuration", async () => {
    await using test = await createTestEngine();
    assert.equal((await test.call("GET", "/model-configurations/x/context")).status, 404);
  });

  for (const [model, window] of [
    ["gpt-4", 8_192],
    ["gpt-4-0613", 8_192],
    ["openai/gpt-4.1-mini", 1_047_576],
    ["eu.anthropic.claude-3-5-sonnet-20240620-v1:0", 200_000],
    ["meta.llama3-1-8b-instruct-v1:0", 131_072],
    ["meta-llama/Llama-3.3-70B-Instruct", 131_072],
    ["models/gemini-2.5-pro", 1_048_576],
    ["my-o1", 200_000],
    ["solo1", undefined],
    ["", undefined],
  ] as const) {
    it(`of the family of ${JSON.stringify(model)} is ${window}`, () => {
      assert.equal(findKnownWindow(model), window);
    });
  }
});

describe("The context window of a model of Ollama", () => {
  for (const [what, model, stated, expected] of [
    ["stated", { numCtx: 2_048 }, 50_000, { window: 50_000, source: "stated" }],
    ["num_ctx of its parameters", { numCtx: 20_480 }, null, { window: 20_480, source: "server" }],
    [
      "16,384 of a large one",
      { contextLength: 131_072 },
      null,
      { window: 16_384, source: "server" },
    ],
    [
      "the maximum of a small one",
      { contextLength: 8_000 },
      null,
      { window: 8_000, source: "server" },
    ],
  ] as const) {
    it(`is ${what}`, async () => {
      await using server = await startPlayedOllama({ m: model });
      await using test = await createTestEngine({ fetch });
      const ollama = { provider: "ollama", baseUrl: `${server.url}/v1`, contextWindow: stated };
      const id = await configure(test, ollama);
      assert.deepEqual(await ofTurn(test, id), expected);
      assert.deepEqual(await read(test, id), expected);
      assert.deepEqual(server.shown, stated ? [] : ["m"]);
    });
  }

  it("is 16,384, and assumed, where it does not answer", async () => {
    await using server = await startPlayedOllama({});
    await using test = await createTestEngine({ fetch });
    const id = await configure(test, { provider: "ollama", baseUrl: server.url });
    assert.deepEqual(await read(test, id), { window: 16_384, source: "assumed" });
  });
});
