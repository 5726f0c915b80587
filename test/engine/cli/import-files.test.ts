import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import fc from "fast-check";
import { readImport } from "../../../engine/cli/transfer/import.ts";
import { CommandFailed } from "../../../shared/cli/output.ts";

const folder = mkdtempSync(join(tmpdir(), "roundhouse-import-"));
after(() => rmSync(folder, { recursive: true }));
const path = join(folder, "file");
const read = (content: string) => {
  writeFileSync(path, content);
  return readImport(path);
};
const lines = (...values: unknown[]) =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("");
const HEAD = { type: "roundhouse.export", version: 1 };
const WORKSPACE = { type: "workspace", uuid: "w", name: "One", directories: ["/etc"] };
const THREAD = { type: "thread", uuid: "t", workspaceUuid: "w", title: "T" };
const MESSAGE = { type: "message", threadUuid: "t", role: "user", content: "Hi" };
const node = (parent: string | null, role: string, parts: unknown[], more = {}) => ({
  parent,
  message: { author: { role }, content: { content_type: "text", parts }, ...more },
});

describe("an import of the engine's own export", () => {
  it("has names and texts, and neither folders nor permissions", async () => {
    assert.deepEqual(await read(lines(HEAD, WORKSPACE, THREAD, MESSAGE)), [
      {
        name: "One",
        description: null,
        threads: [{ title: "T", messages: [{ role: "user", content: "Hi" }] }],
      },
    ]);
  });
});

describe("an import of ChatGPT's export", () => {
  it("follows the branch that was shown last, without what was hidden", async () => {
    const hidden = { metadata: { is_visually_hidden_from_conversation: true } };
    const conversation = {
      title: "Trip",
      current_node: "d",
      mapping: {
        root: { parent: null, message: null },
        s: node("root", "system", [""], hidden),
        a: node("s", "user", ["Where to?"]),
        b: node("a", "assistant", ["The old answer"]),
        c: node("a", "assistant", ["Lisbon.", { asset: 1 }, "Or Porto."]),
        d: node("c", "user", ["Thanks"]),
      },
    };
    const empty = { title: "Empty", mapping: {} };
    const [workspace] = await read(JSON.stringify([conversation, empty]));
    assert.deepEqual(workspace, {
      name: "ChatGPT",
      description: null,
      threads: [
        {
          title: "Trip",
          messages: [
            { role: "user", content: "Where to?" },
            { role: "assistant", content: "Lisbon.\nOr Porto." },
            { role: "user", content: "Thanks" },
          ],
        },
      ],
    });
  });

  it("has texts that the engine can store, though one was cut in an emoji", async () => {
    const mapping = { a: node(null, "user", ["Hi \ud83d"]) };
    const [workspace] = await read(JSON.stringify([{ title: "T \ud83d", mapping }]));
    const messages = [{ role: "user", content: "Hi \ufffd" }];
    assert.deepEqual(workspace?.threads, [{ title: "T \ufffd", messages }]);
  });

  it("ends at a circle", async () => {
    const mapping = { a: node("b", "user", ["1"]), b: node("a", "assistant", ["2"]) };
    const [workspace] = await read(JSON.stringify([{ mapping, current_node: "a" }]));
    assert.equal(workspace?.threads[0]?.messages.length, 2);
  });
});

describe("a file that is no export is refused with its place:", () => {
  const table: [what: string, content: string, reason: RegExp][] = [
    ["nothing", "", /Line 1: It is neither/],
    ["text", "hello", /Line 1: It is neither/],
    ["another JSON", '{"a": 1}', /Line 1: It is neither/],
    ["a cut list", '[{"mapping": {', /not JSON, or was cut off/],
    ["conversations of another form", '[{"title": 7}]', /^Conversation 1: /],
    ["a newer version", lines({ ...HEAD, version: 2 }), /newer engine/],
    ["a cut line", `${lines(HEAD, WORKSPACE)}{"type": "thr`, /^Line 3: /],
    ["a thread without a workspace", lines(HEAD, THREAD), /^Line 2: Its workspace/],
    ["a message without a thread", lines(HEAD, WORKSPACE, MESSAGE), /^Line 3: Its thread/],
    ["an unknown role", lines(HEAD, WORKSPACE, THREAD, { ...MESSAGE, role: "root" }), /^Line 4: /],
    ["names of prototypes", lines(HEAD, { ...THREAD, workspaceUuid: "__proto__" }), /^Line 2: /],
  ];
  for (const [what, content, reason] of table) {
    it(what, () => assert.rejects(read(content), { name: "CommandFailed", message: reason }));
  }

  it("a missing one, a folder, a pipe, a huge one", async () => {
    await assert.rejects(readImport(join(folder, "none")), /ENOENT/);
    await assert.rejects(readImport(folder), /is not a file/);
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    await assert.rejects(readImport(pipe), /is not a file/);
    const huge = join(folder, "huge");
    writeFileSync(huge, "");
    truncateSync(huge, 300 * 1024 * 1024);
    await assert.rejects(readImport(huge), /is larger than/);
  });

  it("any other: it is read, or refused in a sentence", async () => {
    const conversation = fc.record(
      { title: fc.anything(), current_node: fc.string(), mapping: fc.anything() },
      { requiredKeys: [] },
    );
    const own = fc.array(
      fc.oneof(fc.constantFrom(HEAD, WORKSPACE, THREAD, MESSAGE), fc.jsonValue()),
    );
    const file = fc.oneof(
      fc.array(conversation).map((value) => JSON.stringify(value) ?? ""),
      own.map((values) => lines(HEAD, ...values)),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(file, async (content) => {
        await read(content).catch((error: unknown) => assert.ok(error instanceof CommandFailed));
      }),
    );
  });
});
