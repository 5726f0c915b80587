import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { EngineError } from "../../../engine/errors.ts";
import { BUILTIN_TOOLS, builtinToolsForTurn } from "../../../engine/tools/builtin/catalog.ts";

const ALL = BUILTIN_TOOLS.map(({ name }) => name);
const without = (group: string) =>
  BUILTIN_TOOLS.filter((tool) => tool.group !== group).map(({ name }) => name);
const withoutTool = (name: string) => ALL.filter((other) => other !== name);

function names(workspace: unknown, thread: unknown = null, toolsEnabled = true): string[] {
  const text = (config: unknown) =>
    config === null || typeof config === "string" ? config : JSON.stringify(config);
  return builtinToolsForTurn({
    workspaceToolsConfig: text(workspace),
    threadToolsConfig: text(thread),
    toolsEnabled,
  }).map(({ name }) => name);
}

const offTime = { builtin: { time: { enabled: false } } };

describe("The built-in tools of a turn", () => {
  for (const [about, workspace, thread, expected] of [
    ["all of them without any policy", null, null, ALL],
    ["all of them with empty policies", "", "", ALL],
    ["all of them with empty objects", {}, {}, ALL],
    ["none where built-ins are disabled", { builtin_enabled: false }, null, []],
    ["none where a thread disables them", null, { builtin_enabled: false }, []],
    [
      "all where a thread enables them again",
      { builtin_enabled: false },
      { builtin_enabled: true },
      ALL,
    ],
    ["not a group that is disabled", offTime, null, without("time")],
    [
      "not a group that is disabled, whatever a null, empty or {} thread says",
      offTime,
      {},
      without("time"),
    ],
    ["a group that a thread enables again", offTime, { builtin: { time: { enabled: true } } }, ALL],
    [
      "not one tool that is disabled",
      { builtin: { time: { tools: { get_current_time: false } } } },
      null,
      withoutTool("get_current_time"),
    ],
    [
      "what both leave over, merged at every level",
      { builtin: { todo: { tools: { create_todo: false } }, note: { enabled: false } } },
      { builtin: { todo: { tools: { list_todos: false } }, time: { enabled: false } } },
      ALL.filter(
        (name) =>
          !["create_todo", "list_todos", "get_current_time"].includes(name) &&
          !name.endsWith("_note") &&
          name !== "list_notes",
      ),
    ],
    [
      "no group whose tools alone are enabled",
      { builtin: { time: { enabled: false, tools: { get_current_time: true } } } },
      null,
      without("time"),
    ],
    ["what a null of the thread puts back", offTime, { builtin: null }, ALL],
    ["what an array of the thread puts back", offTime, { builtin: [] }, ALL],
    ["what a scalar of the thread puts back", offTime, { builtin: { time: 1 } }, ALL],
    [
      "only literal false disables",
      { builtin_enabled: 0, builtin: { time: { enabled: "false" } } },
      null,
      ALL,
    ],
    [
      "unknown groups and keys mean nothing",
      { other: 1, builtin: { nothing: { enabled: false } } },
      null,
      ALL,
    ],
  ] as const) {
    it(`are: ${about}`, () => {
      assert.deepEqual(names(workspace, thread), expected);
    });
  }

  it("are none where the turn disables them", () => {
    assert.deepEqual(names(null, null, false), []);
  });

  for (const malformed of ["{", "[]", "null", "1", '"x"', "true", " ", "{}x"]) {
    for (const toolsEnabled of [true, false]) {
      it(`fail to be found where a policy is ${malformed}, tools wanted: ${toolsEnabled}`, () => {
        const isInvalid = (error: unknown) =>
          error instanceof EngineError && error.code === "invalid";
        assert.throws(() => names(malformed, null, toolsEnabled), isInvalid);
        assert.throws(() => names(null, malformed, toolsEnabled), isInvalid);
      });
    }
  }

  it("cannot be changed through a prototype", () => {
    const pollution =
      '{"__proto__":{"builtin_enabled":false},"constructor":{"prototype":{"builtin_enabled":false}},' +
      '"builtin":{"__proto__":{"time":{"enabled":false}},"time":{"__proto__":{"enabled":false}}}}';
    assert.deepEqual(names(pollution, pollution), ALL);
    assert.equal("builtin_enabled" in {}, false);
    assert.deepEqual(names(null, '{"builtin":{"toString":{"enabled":false}}}'), ALL);
  });

  it("are an error where policies are nested too deeply", () => {
    const deep = `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`;
    assert.deepEqual(names(deep), ALL);
    assert.throws(() => names(deep, deep), /nested too deeply/);
  });

  it("never follow anything but the merged policy", () => {
    const toggle = fc.constantFrom(true, false, undefined);
    const config = fc.record(
      { builtin_enabled: toggle, group: toggle, tool: toggle },
      { requiredKeys: [] },
    );
    const toPolicy = ({ builtin_enabled, group, tool }: Record<string, boolean | undefined>) => ({
      builtin_enabled,
      builtin: { time: { enabled: group, tools: { get_current_time: tool } } },
    });
    fc.assert(
      fc.property(config, config, (workspace, thread) => {
        const merged = { ...defined(workspace), ...defined(thread) };
        const isOn = Object.values(merged).every((value) => value !== false);
        const isFound = names(toPolicy(workspace), toPolicy(thread)).includes("get_current_time");
        assert.equal(isFound, isOn);
      }),
    );
  });
});

function defined(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
