import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { describe, it } from "node:test";
import { answering, cli } from "../support/engine/cli.ts";
import { type EngineProcess, sharedEngine, startEngineProcess } from "../support/engine/process.ts";
import { json } from "../support/http.ts";
import { answerChunks, startProviderServer } from "../support/providers/server.ts";
import { PLANTED_KEY, PROVIDER_WIRES } from "../support/providers/wires.ts";

const wire = PROVIDER_WIRES.find(({ provider }) => provider === "openai-compatible")!;
const says = (text: string) => answerChunks(wire.contentType, wire.chunks([{ text }]));
const configurations = async (engine: EngineProcess) =>
  json(await engine.call("GET", "/model-configurations"));

describe("models", () => {
  // It never has a model.
  const running = sharedEngine();

  it("marks what cannot work", async () => {
    await using engine = await startEngineProcess();
    const given = { provider: "banana", model: "x", baseUrl: "not a url" };
    await engine.call("POST", "/model-configurations", given);
    const { out } = await cli({ ENGINE_DATA_DIR: engine.dataDirectory }, ["models"]);
    assert.match(out, / x +banana +cannot work: its address is not http or https\n/);
  });

  it("without any, an answer of echo says what it is and how to connect one", async () => {
    const { code, out, error } = await cli(running.env, ["chat", "hello"]);
    assert.equal(code, 0, error);
    assert.equal(out, "hello\n");
    assert.match(
      error,
      /^No model is connected\. This is your own text\. `npm run engine -- setup`/,
    );
  });

  it("add makes the first one the default, which then answers; default chooses another", async () => {
    await using provider = await startProviderServer();
    await using engine = await startEngineProcess();
    const env = { ENGINE_DATA_DIR: engine.dataDirectory };
    const add = ["models", "add", "openai-compatible"];
    const at = ["--base-url", provider.url + wire.basePath];
    const options = ["--alias", "Mine", "--context-window", "65536"];
    const first = await cli(env, [...add, "one", ...at, ...options, "--json"]);
    assert.equal(first.code, 0, first.error);
    const [one] = await configurations(engine);
    assert.deepEqual(first.json, [{ id: one.id, default: true }]);
    assert.deepEqual([one.model, one.alias, one.contextWindow], ["one", "Mine", 65536]);
    assert.equal(one.hasApiKey, false, "without a terminal no key is asked for");

    await engine.call("PUT", "/settings", [{ key: "titles.auto", value: "off" }]);
    provider.script(says("I am one."), says("I am two."));
    const answered = await cli(env, ["chat", "who?"]);
    assert.deepEqual([answered.out, answered.error], ["I am one.\n", ""]);

    const second = await cli(env, [...add, "two", ...at]);
    const two = (await configurations(engine)).find(({ id }: { id: string }) => id !== one.id);
    assert.match(second.out, new RegExp(`^Added two as ${two.id}\\. .*models default ${two.id}`));
    assert.match((await cli(env, ["models"])).out, new RegExp(`${one.id} .* default\n`));
    const chosen = await cli(env, ["models", "default", two.id]);
    assert.equal(chosen.out, "two is now the default model.\n");
    const listed = (await cli(env, ["models", "--json"])).json[0];
    assert.deepEqual(
      listed.map((row: { name: string; default: boolean }) => [row.name, row.default]),
      [
        ["Mine", false],
        ["two", true],
        ["Echo", false],
      ],
    );
    assert.equal((await cli(env, ["chat", "who?"])).out, "I am two.\n");
  });

  it("add takes a key from standard input or a terminal that does not show it, and no argument", async () => {
    await using engine = await startEngineProcess();
    const env = { ENGINE_DATA_DIR: engine.dataDirectory };
    const piped = await cli(env, ["models", "add", "openai", "a", "--key-stdin"], {
      input: Readable.from([`${PLANTED_KEY}\n`]),
    });
    assert.equal(piped.code, 0, piped.error);
    const person = answering(`${PLANTED_KEY}\r`);
    const asked = await cli(env, ["models", "add", "openai", "b"], person);
    assert.equal(asked.code, 0, asked.error);
    for (const { out, error } of [piped, asked]) assert.ok(!`${out}${error}`.includes(PLANTED_KEY));
    const stored = await configurations(engine);
    assert.deepEqual(
      stored.map(({ hasApiKey }: { hasApiKey: boolean }) => hasApiKey),
      [true, true],
    );
  });

  for (const [what, args, code, sentence] of [
    ["a key on a command line", ["add", "openai", "m", "--key", "k"], 2, /unknown option/],
    ["an empty key", ["add", "openai", "m", "--key-stdin"], 1, /Standard input has no key/],
    ["a window of 0", ["add", "openai", "m", "--context-window", "0"], 2, /from 1 to/],
    ["an unknown provider", ["add", "banana", "m"], 1, /Unknown provider banana.*ollama/],
    [
      "an address that is none",
      ["add", "ollama", "m", "--base-url", "not a url"],
      1,
      /is not http/,
    ],
    [
      "a server without an address",
      ["add", "openai-compatible", "m"],
      1,
      /cannot work: no address/,
    ],
    ["a blank model", ["add", "openai", " "], 1, /model: must not be blank/],
    ["an unknown id", ["default", "nope"], 1, /There is no model nope/],
    ["no id", ["default"], 2, /missing required argument/],
  ] as const) {
    it(`refuses ${what}, and stores nothing`, async () => {
      const refused = await cli(running.env, ["models", ...args]);
      assert.equal(refused.code, code, refused.error);
      assert.match(refused.error, sentence);
      assert.deepEqual(await configurations(running.engine), []);
      assert.deepEqual(await json(await running.engine.call("GET", "/settings")), []);
    });
  }
});
