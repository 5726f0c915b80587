import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { diffLines } from "../../../../engine/console/page/chat/diff.ts";
import { DIFF_CHARACTERS_MAX } from "../../../../engine/console/page/chat/limits.ts";

const NO_BREAK = "\\ No newline at end of file";

describe("the difference of two texts", () => {
  const long = Array.from({ length: 20 }, (_, at) => `${at}\n`).join("");
  const rows: [name: string, before: string, after: string, lines: string[]][] = [
    ["a changed line", "a\nb\n", "a\nc\n", [" a", "-b", "+c"]],
    ["a new text", "", "a\nb\n", ["+a", "+b"]],
    ["an emptied text", "a\n", "", ["-a"]],
    ["a last line without its break", "a", "a\n", ["-a", NO_BREAK, "+a"]],
    ["line breaks of Windows", "a\r\n", "a\n", ["-a\r", "+a"]],
    ["equal texts", "a\nb\n", "a\nb\n", []],
    [
      "few lines around a change",
      long,
      long.replace("10\n", "ten\n"),
      ["@8", " 7", " 8", " 9", "-10", "+ten", " 11", " 12", " 13"],
    ],
  ];
  for (const [name, before, after, lines] of rows) {
    it(name, () => assert.deepEqual(diffLines(before, after), lines));
  }

  it("is both whole texts if they are too large, or differ too much", () => {
    const large = "x".repeat(DIFF_CHARACTERS_MAX);
    assert.deepEqual(diffLines(large, "y\nz\n"), [`-${large}`, "+y", "+z"]);
    const lines = (letter: string) =>
      Array.from({ length: 600 }, (_, at) => `${letter}${at}\n`).join("");
    assert.equal(diffLines(lines("a"), lines("b")).length, 1200);
  });

  it("holds each line that is removed or added once", () => {
    const text = fc.array(fc.constantFrom("a\n", "b\n", "c\n"), { maxLength: 40 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before.join(""), after.join(""));
        const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
        assert.equal(count("+") - count("-"), after.length - before.length);
      }),
    );
  });
});
