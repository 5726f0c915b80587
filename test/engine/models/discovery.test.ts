import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { discoverModels } from "../../../engine/models/discovery.ts";
import {
  DISCOVERED_MODELS_MAX,
  DISCOVERY_ANSWER_BYTES_MAX,
  DISCOVERY_MS_MAX,
} from "../../../engine/models/limits.ts";
import { listProviders, resolveProvider } from "../../../engine/models/providers/registry.ts";
import { createTestEngine, TEST_CONFIG } from "../../support/engine/engine.ts";
import { json } from "../../support/http.ts";
import { TestClock } from "../../support/time.ts";

type Answer = (signal: AbortSignal) => Response | Promise<Response>;

/** The network of this machine: what answers at which address, and what was asked. */
function localNetwork(answers: Readonly<Record<string, Answer>>) {
  const asked: string[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const url = String(input);
    asked.push(url);
    assert.equal(init?.redirect, "error");
    const answer = answers[url];
    if (!answer || !init?.signal) throw new TypeError("fetch failed");
    return answer(init.signal);
  };
  return { asked, fetch: fetch as typeof globalThis.fetch };
}

const OLLAMA = "http://127.0.0.1:11434/api/tags";
const LM_STUDIO = "http://127.0.0.1:1234/v1/models";
const hangs: Answer = (signal) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
const NEVER = new AbortController().signal;

describe("POST /model-discovery", () => {
  it("asks the five usual ports on loopback, and answers what is there", async () => {
    const { asked, fetch } = localNetwork({
      [OLLAMA]: () => Response.json({ models: [{ name: "llama3.2:3b" }, { name: "qwen3" }] }),
      [LM_STUDIO]: () => Response.json({ data: [{ id: "gemma-3" }] }),
    });
    await using test = await createTestEngine({ fetch });
    assert.deepEqual(await json(await test.call("POST", "/model-discovery", "ignored")), [
      { provider: "ollama", baseUrl: "http://127.0.0.1:11434", models: ["llama3.2:3b", "qwen3"] },
      { provider: "openai-compatible", baseUrl: "http://127.0.0.1:1234/v1", models: ["gemma-3"] },
    ]);
    assert.deepEqual(asked, [
      OLLAMA,
      LM_STUDIO,
      "http://127.0.0.1:8080/v1/models",
      "http://127.0.0.1:1337/v1/models",
      "http://127.0.0.1:8000/v1/models",
    ]);
  });

  it("asks no port under ENGINE_DISCOVERY=0", async () => {
    const { asked, fetch } = localNetwork({});
    await using test = await createTestEngine({
      fetch,
      config: { ...TEST_CONFIG, discovery: false },
    });
    assert.deepEqual(await json(await test.call("POST", "/model-discovery")), []);
    assert.deepEqual(asked, []);
  });

  const useless: [what: string, answer: Answer][] = [
    ["fails", () => new Response("no", { status: 500 })],
    ["is no JSON", () => new Response("<html>")],
    ["is something else", () => Response.json({ data: "x" })],
    [
      "is too large",
      () => new Response(`{"data":[],"x":"${"x".repeat(DISCOVERY_ANSWER_BYTES_MAX)}"}`),
    ],
    ["is no UTF-8", () => new Response(new Uint8Array([0x7b, 0xff]))],
  ];
  for (const [what, answer] of useless) {
    it(`leaves a server out whose answer ${what}`, async () => {
      const { fetch } = localNetwork({ [LM_STUDIO]: answer });
      assert.deepEqual(await discoverModels({ fetch, timers: new TestClock() }, NEVER), []);
    });
  }

  it("bounds names and their number", async () => {
    const ids = Array.from({ length: DISCOVERED_MODELS_MAX + 5 }, (_, at) => ({ id: `m${at}` }));
    const data = [{ id: "x".repeat(300) }, { id: "" }, { id: 7 }, null, { id: "m0" }, ...ids];
    const { fetch } = localNetwork({ [LM_STUDIO]: () => Response.json({ data }) });
    const [found] = await discoverModels({ fetch, timers: new TestClock() }, NEVER);
    assert.deepEqual([found?.models.length, found?.models[0]], [DISCOVERED_MODELS_MAX, "m0"]);
  });

  it("waits one second for all of them, and leaves no timer behind", async () => {
    const clock = new TestClock();
    const { asked, fetch } = localNetwork({
      [OLLAMA]: hangs,
      [LM_STUDIO]: () => Response.json({ data: [] }),
      "http://127.0.0.1:8000/v1/models": hangs,
    });
    const pending = discoverModels({ fetch, timers: clock }, NEVER);
    assert.equal(asked.length, 5);
    clock.advance(DISCOVERY_MS_MAX);
    assert.deepEqual(
      (await pending).map(({ provider }) => provider),
      ["openai-compatible"],
    );
    assert.equal(clock.pendingTimers, 0);
  });

  it("ends where its client disconnects", async () => {
    const client = new AbortController();
    const { fetch } = localNetwork({ [OLLAMA]: hangs });
    const clock = new TestClock();
    const pending = discoverModels({ fetch, timers: clock }, client.signal);
    client.abort();
    assert.deepEqual(await pending, []);
    assert.equal(clock.pendingTimers, 0);
  });
});

describe("GET /providers", () => {
  it("lists what a model configuration of each needs, as models are opened", async () => {
    await using test = await createTestEngine();
    const providers = await json(await test.call("GET", "/providers"));
    assert.deepEqual(providers, JSON.parse(JSON.stringify(listProviders())));
    const names = listProviders().map(({ provider }) => provider);
    for (const name of ["openai", "anthropic", "google", "bedrock", "ollama", "echo"]) {
      assert.ok(names.includes(name), name);
    }
  });

  const SETTINGS = {
    model: "m",
    baseUrl: undefined,
    region: undefined,
    apiKey: undefined,
    cloudAccessKeyId: undefined,
    cloudSecretAccessKey: undefined,
    cloudSessionToken: undefined,
  };
  for (const { provider, fields } of listProviders().filter(
    ({ provider }) => provider !== "echo",
  )) {
    const needed = fields.filter(({ required }) => required).map(({ name }) => name);
    const settingFor = (name: string) => (name === "baseUrl" ? "http://127.0.0.1:1" : "x-1");
    const given = Object.fromEntries(needed.map((name) => [name, settingFor(name)]));

    it(`${provider} opens with what it needs`, () => {
      resolveProvider(provider, { ...SETTINGS, ...given });
    });

    for (const { name, unless } of fields.filter(({ required }) => required)) {
      it(`${provider} does not open without ${name}, unless ${unless.join(" or ") || "never"}`, () => {
        const without = { ...SETTINGS, ...given, [name]: undefined };
        assert.throws(() => resolveProvider(provider, without), /needs/);
        for (const other of unless) {
          resolveProvider(provider, { ...without, [other]: settingFor(other) });
        }
      });
    }
  }
});
