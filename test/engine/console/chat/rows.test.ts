import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DetailedTurn, Message } from "../../../../engine/client/client.ts";
import { fileChangeOf, findPlace } from "../../../../engine/console/page/chat/file-change.ts";
import { joinMessages, rowsOf, storedSince } from "../../../../engine/console/page/chat/rows.ts";
import { parseToolRecord } from "../../../../engine/console/page/chat/tool-call.ts";
import { toVisible } from "../../../../engine/visible.ts";

const message = (uuid: string, role: Message["role"] = "user", content = ""): Message => ({
  uuid,
  role,
  content,
  threadUuid: "t",
  createdAt: "2026-01-01T00:00:00.000Z",
});
const record = (tool_call_id: string) =>
  JSON.stringify({
    tool_call_id,
    tool_name: "read_file",
    operation: "read",
    arguments: {},
    status: "completed",
    duration_ms: 3,
  });
// What a row needs of an ended turn.
const turn = (uuid: string, userMessageUuid: string, assistantMessageUuid: string | null = null) =>
  ({
    uuid,
    userMessageUuid,
    assistantMessageUuid,
    state: assistantMessageUuid ? "completed" : "failed",
    endedAt: "2026-01-01T00:00:00.000Z",
  }) as DetailedTurn;

describe("the rows of a conversation", () => {
  it("have the end of a turn behind its tool calls, before the next message", () => {
    const messages = [
      message("u1"),
      message("c1", "tool", record("1")),
      message("u2"),
      message("a2", "assistant"),
      message("u3"),
    ];
    const turns = [turn("t1", "u1"), turn("t2", "u2", "a2"), turn("t3", "u3")];
    const rows = rowsOf(messages, turns);
    const keys = rows.map(({ key }) => key);
    assert.deepEqual(keys, ["u1", "c1", "t1", "u2", "a2", "u3", "t3"]);
    assert.equal(rows[4]?.turn, turns[1], "the turn of an answer");
  });

  it("know what is stored of a turn that runs", () => {
    const messages = [
      message("u1"),
      message("c1", "tool", record("1")),
      message("a1", "assistant"),
      message("u2"),
      message("c2", "tool", record("2")),
    ];
    assert.deepEqual(storedSince(messages, "u2"), { calls: new Set(["2"]), isAnswered: false });
    assert.deepEqual(storedSince(messages, "u1"), { calls: new Set(["1", "2"]), isAnswered: true });
    assert.deepEqual(storedSince(messages, "gone"), { calls: new Set(), isAnswered: false });
  });
});

describe("new messages", () => {
  const rows: [name: string, known: string, page: string, joined: string | undefined][] = [
    ["are added", "abc", "bcd", "abcd"],
    ["begin the list", "", "ab", undefined],
    ["are none", "abc", "bc", "abc"],
    ["left a gap", "abc", "ef", undefined],
    ["are gone", "abc", "", undefined],
  ];
  const listOf = (uuids: string) => [...uuids].map((uuid) => message(uuid));
  for (const [name, known, page, joined] of rows) {
    it(name, () => {
      const found = joinMessages(listOf(known), listOf(page));
      assert.equal(found?.map(({ uuid }) => uuid).join(""), joined);
    });
  }
});

describe("a tool record", () => {
  it("is a call with its result", () => {
    const call = parseToolRecord(
      '{"tool_call_id":"1","tool_name":"read_file","operation":"read","arguments":{"path":"/a"},"status":"failed","error":"No.","duration_ms":12}',
    );
    assert.equal(call?.state, "failed");
    assert.equal(call?.error, "No.");
    assert.equal(call?.durationMs, 12);
  });

  for (const content of [
    "",
    "x",
    "[]",
    "null",
    "{}",
    '{"tool_name":1,"status":"completed"}',
    '{"tool_name":"a","status":"on"}',
  ]) {
    it(`is none: ${content}`, () => assert.equal(parseToolRecord(content), undefined));
  }

  it("may have arguments that are no object", () => {
    const call = parseToolRecord('{"tool_name":"a","status":"denied","arguments":"{\\"pa"}');
    assert.equal(call?.arguments, '{"pa');
  });
});

describe("the change of a file", () => {
  const rows: [tool: string, args: Record<string, unknown>, change: unknown][] = [
    [
      "create_file",
      { path: "/a", content: "b" },
      { place: { root: undefined, path: "/a" }, before: "", after: "b", others: { path: "/a" } },
    ],
    [
      "replace_workspace_file",
      { root_index: 1, path: "a", content: "" },
      {
        place: { root: 1, path: "a" },
        before: undefined,
        after: "",
        others: { root_index: 1, path: "a" },
      },
    ],
    [
      "edit_file",
      { path: "/a", old_text: "b", new_text: "c", content: "d" },
      {
        place: { root: undefined, path: "/a" },
        before: "b",
        after: "c",
        others: { path: "/a", content: "d" },
      },
    ],
    ["edit_file", { path: "/a", old_text: "b" }, undefined],
    ["replace_workspace_file", { path: "a", content: "" }, undefined],
    ["replace_file", { path: 1, content: "" }, undefined],
    ["replace_file", { path: "/a", content: {} }, undefined],
    ["delete_path", { path: "/a", content: "" }, undefined],
    ["mcp_x_replace_file", { path: "/a", content: "" }, undefined],
  ];
  for (const [tool, args, change] of rows) {
    it(`${tool} ${JSON.stringify(args)}`, () => assert.deepEqual(fileChangeOf(tool, args), change));
  }

  it("is compared with the file of a root", () => {
    const roots = ["/home/ada/notes", "/home/ada/notes-2", "C:\\notes"];
    const placeOf = (path: string) => findPlace({ root: undefined, path }, roots);
    assert.deepEqual(placeOf("/home/ada/notes/a/b"), { rootIndex: 0, path: "a/b" });
    assert.deepEqual(placeOf("/home/ada/notes-2/a"), { rootIndex: 1, path: "a" });
    assert.deepEqual(placeOf("C:\\notes\\a\\b"), { rootIndex: 2, path: "a/b" });
    assert.equal(placeOf("/etc/passwd"), undefined);
    assert.deepEqual(findPlace({ root: 4, path: "a" }, roots), { rootIndex: 4, path: "a" });
  });
});

describe("text in which everything can be seen", () => {
  const rows: [text: string, visible: string][] = [
    ["a\tb\nc é 漢 👍", "a\tb\nc é 漢 👍"],
    ["\u202egnp.exe", "\\u{202e}gnp.exe"],
    ["a\u200bb\u2066c\ufeff", "a\\u{200b}b\\u{2066}c\\u{feff}"],
    ["a\r\nb\u0000\u001b[31m", "a\\r\nb\\u{0}\\u{1b}[31m"],
    ["a\u2028b", "a\\u{2028}b"],
    ["a\u{e0041}b", "a\\u{e0041}b"],
  ];
  for (const [text, visible] of rows) {
    it(JSON.stringify(text), () => assert.equal(toVisible(text), visible));
  }
});
