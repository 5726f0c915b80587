import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { listSources } from "../../../engine/cli/sources.ts";

const ROOTS = ["/notes", "/code"];

function record(tool_name: string, given: unknown, result: unknown, status = "completed") {
  const content = JSON.stringify({ tool_name, arguments: given, result, status });
  return { uuid: "u", threadUuid: "t", role: "tool" as const, content, createdAt: "" };
}

const passage = (
  root_index: number,
  path: string,
  start_line: number | null,
  end_line: number,
) => ({
  root_index,
  path,
  start_line,
  end_line,
});

describe("the sources of a turn", () => {
  const read = (content: string, more = {}) =>
    record("read_workspace_file", { root_index: 0, path: "a.md", ...more }, { content });
  const search = (...results: unknown[]) => record("search_workspace_index", {}, { results });
  const table: [what: string, records: ReturnType<typeof record>[], expected: string[]][] = [
    ["are the lines of a read file", [read("one\ntwo\n")], ["/notes/a.md:1-2"]],
    ["count a last line without an end", [read("one\ntwo")], ["/notes/a.md:1-2"]],
    ["have no lines for a later piece", [read("x", { offset: 9 })], ["/notes/a.md"]],
    [
      "are the passages of a search, in the root of each",
      [search(passage(1, "b.ts", 3, 9), passage(0, "c.pdf", null, 0))],
      ["/code/b.ts:3-9", "/notes/c.pdf"],
    ],
    ["are named once", [read("x"), read("x")], ["/notes/a.md:1-1"]],
    ["leave out what was denied", [record("read_file", { path: "/x" }, undefined, "denied")], []],
    ["leave out other tools", [record("create_note", { path: "/x" }, { content: "" })], []],
    [
      "are paths of this machine",
      [record("read_file", { path: "/x" }, { content: "" })],
      ["/x:1-1"],
    ],
    ["survive records of any shape", [search(null, 7, {}), record("read_file", "text", null)], []],
  ];
  for (const [what, records, expected] of table) {
    it(what, () => assert.deepEqual(listSources(records, ROOTS), expected));
  }
});
