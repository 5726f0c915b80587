import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CommandContext } from "../../../engine/cli/context.ts";
import { chooseModel } from "../../../engine/cli/model-choice.ts";
import type { EngineClient } from "../../../engine/client/client.ts";
import type { Prompt } from "../../../shared/cli/prompt.ts";

/** What Enter alone chooses. */
const FIRST = /^/;

interface Scene {
  configured?: object[];
  /** The default model that is set. */
  preset?: string;
  found?: object[];
  /** Whether each test of a model succeeds. */
  tests?: boolean[];
  /** What is chosen by its label, and what is typed, in order. */
  answers: (RegExp | string)[];
}

async function choose({ configured = [], preset, found = [], tests = [], answers }: Scene) {
  const calls: unknown[] = [];
  const said: string[] = [];
  const offered: string[][] = [];
  const models = {
    listConfigurations: async () => configured,
    discover: async () => found,
    createConfiguration: async (input: object) => {
      calls.push(["create", input]);
      return { id: `new-${calls.length}` };
    },
    testConfiguration: async () => {
      const ok = tests.shift();
      return { ok, totalMs: 12, error: ok ? null : "The provider refused the key." };
    },
    deleteConfiguration: async (id: string) => void calls.push(["delete", id]),
  };
  const typed = async () => String(answers.shift());
  const prompt = {
    line: typed,
    secret: typed,
    choose: async (_question: string, labels: string[]) => {
      offered.push(labels);
      const wanted = answers.shift();
      return labels.findIndex((label) => wanted instanceof RegExp && wanted.test(label));
    },
  };
  const context = {
    signal: new AbortController().signal,
    remark: (text: string) => said.push(text),
  };
  const settings = {
    list: async () => (preset ? [{ key: "models.default", value: preset }] : []),
    update: async ([setting]: { value: string }[]) => void calls.push(["default", setting?.value]),
  };
  // What `chooseModel` uses of the three.
  const engine = { models, settings } as unknown as EngineClient;
  const chosen = await chooseModel(
    engine,
    prompt as unknown as Prompt,
    context as unknown as CommandContext,
  );
  return { chosen, calls, said, offered };
}

describe("the choice of a model", () => {
  it("takes a configured one as it is, after it has answered", async () => {
    const configured = [{ id: "a", provider: "openai", model: "m", alias: "Mine" }];
    const answers = [/^Mine \(openai\)$/];
    const { chosen, calls, said } = await choose({ configured, tests: [true], answers });
    assert.deepEqual([chosen, calls], ["a", []]);
    assert.deepEqual(said, ["Trying m …", "It responded after 12 ms."]);
  });

  it("keeps a configured one that does not answer, says so, and proposes others first", async () => {
    const configured = [
      { id: "a", provider: "ollama", model: "down", alias: null },
      { id: "b", provider: "ollama", model: "up", alias: null },
    ];
    for (const [others, tests, expected] of [
      [configured.slice(1), [false, true], "b"],
      [[], [false], null],
    ] as const) {
      const { chosen, calls, said, offered } = await choose({
        configured: [...configured.slice(0, 1), ...others],
        tests: [...tests],
        answers: [FIRST, FIRST],
      });
      assert.deepEqual([chosen, calls], [expected, []]);
      assert.ok(said.includes("The provider refused the key."));
      assert.equal(offered[0]?.[0], "down (ollama)");
      assert.ok(offered[1]?.includes("down (ollama), which did not respond"));
    }
  });

  it("configures one that was found, after it has answered", async () => {
    const found = [{ provider: "ollama", baseUrl: "http://127.0.0.1:11434", models: ["llama"] }];
    const { chosen, calls } = await choose({ found, tests: [true], answers: [/^llama at /] });
    assert.equal(chosen, "new-1");
    const input = { provider: "ollama", baseUrl: "http://127.0.0.1:11434", model: "llama" };
    assert.deepEqual(calls, [
      ["create", input],
      ["default", "new-1"],
    ]);
  });

  it("leaves a default model that is set", async () => {
    const found = [{ provider: "ollama", baseUrl: "http://127.0.0.1:11434", models: ["llama"] }];
    const answers = [/^llama at /];
    const { calls } = await choose({ preset: "other", found, tests: [true], answers });
    assert.deepEqual(
      calls.map((call) => (call as string[])[0]),
      ["create"],
    );
  });

  it("configures one of a server at an address, with a key or without", async () => {
    const input = { provider: "openai-compatible", model: "m", baseUrl: "http://host:1/v1" };
    for (const apiKey of ["", "sk-good"]) {
      const answers = [/^another OpenAI-compatible server/, "http://host:1/v1", "m", apiKey];
      const { chosen, calls } = await choose({ tests: [true], answers });
      assert.equal(chosen, "new-1");
      assert.deepEqual(calls[0], ["create", apiKey === "" ? input : { ...input, apiKey }]);
    }
  });

  it("removes one whose key is refused, says why, and asks again", async () => {
    const answers = [/^openai/, "gpt", "sk-bad", /^openai/, "gpt", "sk-good"];
    const { chosen, calls, said } = await choose({ tests: [false, true], answers });
    assert.equal(chosen, "new-3");
    assert.deepEqual(
      calls.map((call) => (call as string[])[0]),
      ["create", "delete", "create", "default"],
    );
    assert.ok(said.includes("The provider refused the key."));
    assert.ok(!said.join().includes("sk-"));
  });

  it("asks again where no key was typed, and can do without a model", async () => {
    const { chosen, calls } = await choose({ answers: [/^google/, "gemini", "", /^none/] });
    assert.deepEqual([chosen, calls], [null, []]);
  });
});
