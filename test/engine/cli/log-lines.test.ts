import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { followLines, readLastLines } from "../../../engine/cli/log-lines.ts";

const folder = mkdtempSync(join(tmpdir(), "roundhouse-logs-"));
after(() => rmSync(folder, { recursive: true }));
let count = 0;
const newFile = (text: string) => {
  count += 1;
  const path = join(folder, `${count}.log`);
  writeFileSync(path, text);
  return path;
};
const long = (length: number) => Array.from({ length }, (_, at) => `${at} ${"ü".repeat(300)}`);

describe("the last lines of a file", () => {
  const table: [what: string, text: string, lines: number, expected: string[]][] = [
    ["are all of a short one", "a\nb\n", 10, ["a", "b"]],
    ["are as many as asked for", "a\nb\nc\n", 2, ["b", "c"]],
    ["include one without an end", "a\nb\nc", 2, ["b", "c"]],
    ["are none where none is asked for", "a\nb\n", 0, []],
    ["are none of an empty file", "", 3, []],
    ["are whole over several pieces", `${long(1000).join("\n")}\n`, 500, long(1000).slice(500)],
  ];
  for (const [what, text, lines, expected] of table) {
    it(what, async () => {
      assert.deepEqual((await readLastLines(newFile(text), lines)).lines, expected);
    });
  }

  it("are none where there is no file", async () => {
    const none = await readLastLines(join(folder, "none"), 3);
    assert.deepEqual(none, { lines: [], mark: undefined });
  });
});

describe("following a file", () => {
  it("gives whole lines that were appended since, and those of its successor", async () => {
    const path = newFile("old\n");
    const { mark } = await readLastLines(path, 0);
    const stop = new AbortController();
    appendFileSync(path, "one\ntw");
    const lines = followLines(path, mark, stop.signal);
    assert.deepEqual((await lines.next()).value, ["one"]);
    appendFileSync(path, "o\n");
    assert.deepEqual((await lines.next()).value, ["two"]);
    renameSync(path, `${path}.1`);
    writeFileSync(path, "three\n");
    assert.deepEqual((await lines.next()).value, ["three"]);
    stop.abort();
    assert.equal((await lines.next()).done, true);
  });
});
