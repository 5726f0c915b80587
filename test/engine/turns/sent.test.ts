// Slow: it indexes folders.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ModelMessage } from "../../../engine/models/language-model.ts";
import { type ChatHarness, createChatHarness } from "../../support/engine/chat.ts";
import { createTestEngine } from "../../support/engine/engine.ts";
import { createTestFolder } from "../../support/engine/files.ts";
import { turnOf } from "../../support/engine/turns.ts";
import { json } from "../../support/http.ts";
import { ScriptedModel, type ScriptedStep, scriptedChat } from "../../support/providers/model.ts";

const LINE = "The backup of the engine is a copy of its database, made while it runs.\n";
const FILES = Object.fromEntries([
  ...Array.from({ length: 12 }, (_, at) => [
    `backup-${at}.md`,
    `# Backup ${at}\n\n${LINE.repeat(15)}`,
  ]),
  ["long.md", Array.from({ length: 6_000 }, (_, at) => `line ${at + 1}\n`).join("")],
  [".env", "BACKUP_KEY=canary"],
]);
const SEARCH = { call: "search_workspace_index", args: { query: "backup engine", limit: 12 } };

async function ask(
  { window, directories }: { window: number; directories: string[] },
  ...steps: ScriptedStep[]
) {
  const model = new ScriptedModel(...steps);
  const harness = await createChatHarness(
    { chat: scriptedChat(model, { contextWindow: window }) },
    { directories: JSON.stringify(directories) },
  );
  const { test, workspaceUuid, threadUuid: thread_uuid, socket } = harness;
  await test.call("POST", `/workspaces/${workspaceUuid}/rag/index`);
  const ended = await socket.chat("t1", { content: "How is a backup made?", thread_uuid });
  assert.equal(ended.type, "chat.done", JSON.stringify(ended.data));
  const { uuid } = await turnOf(test);
  const get = async (path: string) => json(await test.call("GET", path));
  return {
    harness,
    uuid,
    /** The results of the newest step before a request. */
    results: (at: number) => outputsOf(model.requests[at]!.messages.at(-1)!),
    context: await get(`/turns/${uuid}/context`),
    sources: await get(`/turns/${uuid}/sources`),
    [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose](),
  };
}

const outputsOf = (message: ModelMessage) =>
  message.role === "tool" ? message.results.map(({ output }) => JSON.parse(output)) : [];
// biome-ignore lint/suspicious/noExplicitAny: the output of a tool
const placeOf = ({ path, start_line, end_line }: any) => `${path}:${start_line}-${end_line}`;
const sourceOf = ({ path, startLine, endLine }: Record<string, unknown>) =>
  `${path}:${startLine}-${endLine}`;

describe("a search in a small window", () => {
  it("shows whole passages, best first, and its sources are exactly these", async () => {
    await using folder = await createTestFolder(FILES);
    await using asked = await ask({ window: 4_096, directories: [folder.path] }, [SEARCH], ["a"]);
    const [{ results, note }] = asked.results(1) as [{ results: object[]; note: string }];
    assert.ok(results.length >= 3, `${results.length} passages`);
    assert.match(note, /^The context window has no room for \d+ of 12 passages\.$/);
    assert.deepEqual(asked.sources.map(sourceOf), results.map(placeOf));
    const { context } = asked;
    assert.deepEqual([context.window, context.source], [4096, "stated"]);
    assert.ok(context.inputTokens <= 4096 * 0.85);
    const sum = context.parts.reduce(
      (total: number, { tokens }: { tokens: number }) => total + tokens,
      0,
    );
    assert.equal(context.inputTokens, sum);
    const kinds = context.dropped.map(({ kind }: { kind: string }) => kind);
    assert.deepEqual(new Set(kinds), new Set(["tools", "results"]));
    assert.match(context.notices[0], /has no room for: .* of 12 passages\.$/);
  });

  it("names a file that it withholds, without lines", async () => {
    await using folder = await createTestFolder({ ".env": "BACKUP_KEY=canary" });
    const search = { call: "search_workspace_index", args: { query: "env" } };
    await using asked = await ask({ window: 32_768, directories: [folder.path] }, [search], ["a"]);
    assert.deepEqual(asked.sources, [
      {
        rootIndex: 0,
        path: ".env",
        startLine: null,
        endLine: null,
        from: "search",
        sensitive: true,
      },
    ]);
  });
});

describe("a file that is read in a small window", () => {
  it("is shown in whole lines, with the offset of the next one", async () => {
    await using folder = await createTestFolder(FILES);
    let offset = 0;
    const read = (given: number) => ({
      call: "read_workspace_file",
      args: { root_index: 0, path: "long.md", offset: given },
    });
    const again: ScriptedStep = async function* ({ messages }) {
      offset = outputsOf(messages.at(-1)!)[0].next_offset;
      const argumentsText = JSON.stringify(read(offset).args);
      yield {
        type: "tool-call",
        call: { toolCallId: "again", toolName: "read_workspace_file", argumentsText },
      };
      yield { type: "end", usage: undefined };
    };
    const directories = [folder.path];
    await using asked = await ask({ window: 8_192, directories }, [read(0)], again, ["a"]);
    const [first] = asked.results(1);
    assert.equal(FILES["long.md"]!.slice(0, offset), first.content);
    assert.match(first.content, /\n$/);
    assert.match(first.note, /Go on at next_offset/);
    const lines = first.content.split("\n").length - 1;
    const [one, two] = asked.sources;
    assert.deepEqual(one, {
      ...{ rootIndex: 0, path: "long.md", startLine: 1, endLine: lines },
      ...{ from: "read", sensitive: false },
    });
    assert.equal(two.startLine, lines + 1);
    const [second] = asked.results(2);
    assert.ok(second.content.startsWith(`line ${lines + 1}\n`));
  });

  it("is a source with its absolute path where no folder holds it", async () => {
    await using folder = await createTestFolder({ "in.md": "a\nb\n" });
    await using other = await createTestFolder({ "out.md": "c\n" });
    const read = (path: string) => ({ call: "read_file", args: { path } });
    await using asked = await ask(
      { window: 32_768, directories: [folder.path] },
      [read(folder.at("in.md")), read(other.at("out.md"))],
      ["a"],
    );
    const rest = { from: "read", sensitive: false };
    assert.deepEqual(asked.sources, [
      { rootIndex: 0, path: "in.md", startLine: 1, endLine: 2, ...rest },
      { rootIndex: null, path: other.at("out.md"), startLine: 1, endLine: 1, ...rest },
    ]);
  });
});

describe("what a turn sent", () => {
  const details = async ({ test, threadUuid }: ChatHarness, query: string) =>
    test.call("GET", `/threads/${threadUuid}/turns${query}`);

  it("stands in the list of its thread where `details` asks for it", async () => {
    await using harness = await createChatHarness();
    const { test, threadUuid: thread_uuid, socket } = harness;
    await socket.chat("t1", { content: "x", thread_uuid });
    const [plain] = await json(await details(harness, ""));
    const [turn] = await json(await details(harness, "?details=true&limit=1"));
    const [context, sources] = await Promise.all(
      ["context", "sources"].map(async (part) =>
        json(await test.call("GET", `/turns/${turn.uuid}/${part}`)),
      ),
    );
    assert.deepEqual(turn, { ...plain, details: { context, sources, reasoning: null } });
    assert.deepEqual(context.notices, []);
    assert.equal((await details(harness, "?details=yes")).status, 400);
  });

  it("is there after a restart", async () => {
    await using harness = await createChatHarness();
    const { test, threadUuid: thread_uuid, socket } = harness;
    await socket.chat("t1", { content: "x", thread_uuid });
    const { uuid } = await turnOf(test);
    const before = await json(await test.call("GET", `/turns/${uuid}/context`));
    await test.engine.close();
    await using next = await createTestEngine({ db: test.deps.db });
    assert.deepEqual(await json(await next.call("GET", `/turns/${uuid}/context`)), before);
  });

  it("is there for turns over HTTP, and goes with the thread", async () => {
    await using harness = await createChatHarness();
    const { test, threadUuid, workspaceUuid } = harness;
    const model = { provider: "echo", model: "e" };
    await test.call("POST", "/model-configurations", model);
    const path = `/threads/${threadUuid}/turns`;
    const { uuid } = await json(await test.call("POST", path, { content: "x" }), 202);
    const ended = await harness.socket.chat("t2", { content: "y", workspace_uuid: workspaceUuid });
    assert.equal(ended.type, "chat.done");
    const context = await json(await test.call("GET", `/turns/${uuid}/context`));
    assert.match(context.notices[0], /^No model was chosen, so echo repeated your text\./);
    await test.call("DELETE", `/threads/${threadUuid}`);
    for (const part of ["context", "sources"]) {
      assert.equal((await test.call("GET", `/turns/${uuid}/${part}`)).status, 404);
    }
  });
});
