import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fitTools } from "../../../engine/chat/turn-tools.ts";
import { BUILTIN_TOOLS } from "../../../engine/tools/builtin/catalog.ts";
import { UI_TOOLS } from "../../../engine/tools/ui-tools.ts";
import { type LogFields, silentLogger } from "../../../shared/log.ts";
import { createChatHarness } from "../../support/engine/chat.ts";
import { ScriptedModel, scriptedChat, testTool } from "../../support/providers/model.ts";

const ORDER = [
  "filesystem",
  "contact",
  "note",
  "memory",
  "todo",
  "time",
  "workspace_files",
  "client",
  "retrieval",
];
const bytesOf = (specs: unknown) => Buffer.byteLength(JSON.stringify(specs));
const everything = bytesOf(BUILTIN_TOOLS.map(({ spec }) => spec));

describe("the tools of a small window", () => {
  for (const window of [1, 512, 1024, 2048, 4095, 4096, 8192, 10_000, 16_383]) {
    it(`of ${window} tokens take at most a quarter of it, and groups go whole, in order`, () => {
      for (const given of [[], UI_TOOLS.slice(0, 2)]) {
        const { offered, uiTools, omittedToolGroups } = fitTools(BUILTIN_TOOLS, given, window);
        const order = ORDER.filter((group) => group !== "client" || given.length > 0);
        assert.deepEqual(omittedToolGroups, order.slice(0, omittedToolGroups.length));
        const isKept = (group: string, omitted: readonly string[] = omittedToolGroups) =>
          !omitted.includes(group);
        assert.deepEqual(
          offered,
          BUILTIN_TOOLS.filter(({ group }) => isKept(group)),
        );
        assert.deepEqual(uiTools, isKept("client") ? given : []);
        const size = (omitted: readonly string[]) =>
          bytesOf([
            ...BUILTIN_TOOLS.flatMap(({ group, spec }) => (isKept(group, omitted) ? spec : [])),
            ...(isKept("client", omitted) ? given : []),
          ]);
        const rest = offered.filter(({ group }) => group !== "retrieval").length + uiTools.length;
        assert.ok(rest === 0 || size(omittedToolGroups) <= window);
        assert.ok(omittedToolGroups.length === 0 || size(omittedToolGroups.slice(0, -1)) > window);
      }
    });
  }

  it("include the search of the folders from 4,096 tokens on, whatever else there is", () => {
    const huge = { ...UI_TOOLS[0]!, doc: "x".repeat(100_000) };
    const groupsOf = (window: number) => {
      const { offered, uiTools } = fitTools(BUILTIN_TOOLS, [huge], window);
      return [...new Set(offered.map(({ group }) => group)), ...uiTools.map(() => "client")];
    };
    assert.deepEqual(groupsOf(4096), ["retrieval"]);
    assert.deepEqual(groupsOf(4095), ["retrieval"]);
    assert.deepEqual(groupsOf(256), []);
  });

  it("are all tools where the window is not small, unless they take more than half of it", () => {
    assert.ok(everything > 8192, "the limit matters");
    for (const window of [16_384, 200_000]) {
      const fitted = fitTools(BUILTIN_TOOLS, UI_TOOLS, window);
      const all = { offered: BUILTIN_TOOLS, uiTools: UI_TOOLS, omittedToolGroups: [] };
      assert.deepEqual(fitted, all);
    }
    const large = { ...testTool("read_value", async () => "x"), group: "mcp large" };
    const spec = { ...large.spec, doc: "x".repeat(40_000) };
    const { omittedToolGroups } = fitTools([...BUILTIN_TOOLS, { ...large, spec }], [], 16_384);
    assert.deepEqual(omittedToolGroups.at(-1), "mcp large");
  });

  it("lose a group that is not listed before the search of the folders", () => {
    const other = testTool("read_value", async () => "x");
    const { omittedToolGroups } = fitTools([other, ...BUILTIN_TOOLS], [], 1);
    assert.deepEqual(omittedToolGroups.slice(-2), ["test", "retrieval"]);
  });
});

describe("a turn with a small window", () => {
  const file_context = { tagged_files: [{ root_index: 0, path: "a.md" }] };

  async function turn(contextWindow: number) {
    const lines: [LogFields, string][] = [];
    const info = (fields: LogFields, message: string) => void lines.push([fields, message]);
    const model = new ScriptedModel([{ call: "create_note", args: {} }], ["done"]);
    const chat = scriptedChat(model, { contextWindow });
    await using harness = await createChatHarness({ chat, log: { ...silentLogger, info } });
    const data = { content: "x", thread_uuid: harness.threadUuid, file_context };
    assert.equal((await harness.socket.chat("t1", data)).type, "chat.done");
    return { request: model.requests[0]!, lines, records: await harness.records() };
  }

  it("offers fewer tools, logs the groups once, and does not mention them to the model", async () => {
    const { request, lines, records } = await turn(512);
    assert.ok(bytesOf(request.tools) <= 512);
    assert.deepEqual(
      lines.map(([fields]) => fields),
      [
        {
          turn: "t1",
          contextWindow: 512,
          omittedToolGroups: ORDER.filter((it) => it !== "client"),
        },
      ],
    );
    assert.doesNotMatch(request.instructions, /with the file tools|Use tools/);
    assert.match(request.instructions, /no tool here can read them/);
    assert.match(records[0].error, /no tool named/);
  });

  it("offers everything where the window is not small", async () => {
    const { request, lines } = await turn(16_384);
    assert.equal(request.tools.length, BUILTIN_TOOLS.length);
    assert.deepEqual(lines, []);
    assert.match(request.instructions, /read them with the file tools/);
  });
});
