import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fitTools } from "../../../engine/chat/turn-tools.ts";
import { BUILTIN_TOOLS } from "../../../engine/tools/builtin/catalog.ts";
import { UI_TOOLS } from "../../../engine/tools/ui-tools.ts";
import { type LogFields, silentLogger } from "../../../shared/log.ts";
import { createChatHarness } from "../../support/engine/chat.ts";
import { ScriptedModel, scriptedChat, testTool } from "../../support/providers/model.ts";

const ORDER = [
  "contact",
  "note",
  "memory",
  "todo",
  "time",
  "retrieval",
  "workspace_files",
  "filesystem",
];
const bytesOf = (specs: unknown) => Buffer.byteLength(JSON.stringify(specs));
const everything = bytesOf(BUILTIN_TOOLS.map(({ spec }) => spec));

describe("the tools of a small window", () => {
  for (const window of [1, 512, 1024, 2048, 4096, 8192, 10_000, 16_383]) {
    it(`of ${window} tokens take at most a quarter of it, and groups go whole, in order`, () => {
      for (const uiTools of [[], UI_TOOLS.slice(0, 2)]) {
        const { offered, omittedToolGroups } = fitTools(BUILTIN_TOOLS, uiTools, window);
        const specs = [...offered.map(({ spec }) => spec), ...uiTools];
        assert.ok(offered.length === 0 || bytesOf(specs) / 4 <= window / 4);
        assert.deepEqual(omittedToolGroups, ORDER.slice(0, omittedToolGroups.length));
        const kept = BUILTIN_TOOLS.filter(({ group }) => !omittedToolGroups.includes(group));
        assert.deepEqual(offered, kept);
        const last = omittedToolGroups.at(-1);
        if (last === undefined) continue;
        const withIt = BUILTIN_TOOLS.filter(
          ({ group }) => group === last || !omittedToolGroups.includes(group),
        );
        assert.ok(bytesOf([...withIt.map(({ spec }) => spec), ...uiTools]) > window);
      }
    });
  }

  it("are all tools where the window is not small", () => {
    assert.ok(everything > 8192, "the limit matters");
    for (const window of [16_384, 200_000]) {
      const fitted = fitTools(BUILTIN_TOOLS, UI_TOOLS, window);
      assert.deepEqual(fitted, { offered: BUILTIN_TOOLS, omittedToolGroups: [] });
    }
  });

  it("leave a group out that is not listed last of all", () => {
    const other = testTool("read_value", async () => "x");
    const { omittedToolGroups } = fitTools([other, ...BUILTIN_TOOLS], [], 1);
    assert.deepEqual(omittedToolGroups, [...ORDER, "test"]);
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
    const { request, lines, records } = await turn(1024);
    assert.ok(bytesOf(request.tools) <= 1024);
    assert.deepEqual(
      lines.map(([fields]) => fields),
      [{ turn: "t1", contextWindow: 1024, omittedToolGroups: ORDER }],
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
