import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KnownProvider, ModelConfiguration } from "../../../../../engine/client/client.ts";
import {
  missingFields,
  toFields,
  toModelInput,
  toParameters,
} from "../../../../../engine/console/page/models/model-input.ts";
import {
  isBuiltinOn,
  isServerOn,
  withBuiltin,
  withToggle,
} from "../../../../../engine/console/page/tools/tool-switches.ts";
import { parseHeaderLines } from "../../../../../engine/console/page/ui/parse-header-lines.ts";
import { parseToggles } from "../../../../../engine/policies/stored-configs.ts";

describe("a switch of a tool", () => {
  const stored = [
    null,
    {},
    { builtin_enabled: false },
    { builtin: { todo: { enabled: false, tools: { list_todos: false } } }, later: 1 },
    { builtin: { todo: { tools: { list_todos: true } } }, mcp: { u: { enabled: true } } },
  ];
  for (const config of stored) {
    const text = JSON.stringify(config);
    it(`means what the engine does: ${text}`, () => {
      for (const isOn of [true, false]) {
        const next = withBuiltin(
          withBuiltin(withBuiltin(config, true), true, "todo"),
          isOn,
          "todo",
          "list_todos",
        );
        assert.equal(isBuiltinOn(next, "todo", "list_todos"), isOn);
        assert.equal(parseToggles(JSON.stringify(next), null).allows("todo", "list_todos"), isOn);
        const group = withBuiltin(next, isOn, "todo");
        const allows = parseToggles(JSON.stringify(group), null).allows("todo", "other");
        assert.equal(allows, isOn);
        const server = withToggle(config, "mcp", "s", isOn);
        assert.equal(isServerOn(server, "s"), isOn);
        assert.equal(parseToggles(JSON.stringify(server), null).allowsServer("s"), isOn);
        const tool = withToggle(server, "mcp", "s", isOn, "get");
        assert.equal(parseToggles(JSON.stringify(tool), null).allowsServerTool("s", "get"), isOn);
        assert.equal(isServerOn(tool, "s"), isOn);
      }
    });
  }

  it("leaves everything else as it was", () => {
    const config = { later: 1, builtin: { a: { tools: { x: false } }, b: { enabled: false } } };
    assert.deepEqual(withBuiltin(config as never, false, "a", "y"), {
      later: 1,
      builtin: { a: { tools: { x: false, y: false } }, b: { enabled: false } },
    });
  });

  it("takes names of objects for names", () => {
    assert.equal(isBuiltinOn({ builtin: {} }, "constructor", "toString"), true);
    assert.equal(isServerOn({ mcp: {} }, "__proto__"), false);
  });

  it("replaces what is no JSON", () => {
    assert.deepEqual(withBuiltin({ malformed: "{" }, false), { builtin_enabled: false });
  });
});

describe("the form of a model", () => {
  const NO_PARAMETERS = { temperature: null, topP: null, maxOutputTokens: null };
  const openai: KnownProvider = {
    provider: "openai",
    baseUrl: "https://api.openai.com/v1",
    fields: [
      { name: "apiKey", required: true, unless: ["baseUrl"], secret: true },
      { name: "baseUrl", required: false, unless: [], secret: false },
    ],
  };
  const stored = {
    provider: "openai",
    model: "m",
    alias: "A",
    hasApiKey: true,
  } as ModelConfiguration;

  it("never sends an empty secret, and empties other fields", () => {
    const fields = {
      ...toFields(stored, "openai", NO_PARAMETERS),
      alias: " ",
      contextWindow: "8192",
    };
    assert.deepEqual(toModelInput(fields, false), {
      provider: "openai",
      model: "m",
      alias: null,
      baseUrl: null,
      region: null,
      contextWindow: 8192,
    });
    assert.equal(toModelInput(fields, true).clearApiKey, true);
    assert.equal(toModelInput({ ...fields, apiKey: " k " }, false).apiKey, "k");
  });

  it("changes the parameters that it shows, and no other", () => {
    const kept = { temperature: 0.5, topP: 0.9, maxOutputTokens: 100 };
    const fields = toFields(stored, "openai", kept);
    assert.deepEqual(toParameters(fields, kept), kept);
    const changed = toParameters({ ...fields, temperature: "", maxOutputTokens: " 200 " }, kept);
    assert.deepEqual(changed, { temperature: null, topP: 0.9, maxOutputTokens: 200 });
  });

  it("says what is missing", () => {
    const empty = toFields(undefined, "openai", NO_PARAMETERS);
    assert.deepEqual(missingFields(openai, empty, false), ["model", "apiKey"]);
    assert.deepEqual(
      missingFields(openai, { ...empty, model: "m", baseUrl: "http://x" }, false),
      [],
    );
    assert.deepEqual(missingFields(openai, { ...empty, model: "m" }, true), []);
    assert.deepEqual(missingFields(undefined, { ...empty, model: "m" }, false), []);
  });
});

describe("headers", () => {
  it("are lines of name and value", () => {
    assert.deepEqual(parseHeaderLines("X-A: 1\n\n X-B :a: b \n"), { "X-A": "1", "X-B": "a: b" });
    assert.deepEqual(parseHeaderLines(" \n"), {});
  });

  it("name the line that is none", () => {
    for (const text of ["X-A: 1\nno colon", "X-A: 1\n: value", "X-A: 1\nX-B:"]) {
      assert.throws(() => parseHeaderLines(text), /Line 2/);
    }
  });
});
