import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { diffLines, wholeAs } from "../../../../engine/console/page/chat/diff.ts";
import { DIFF_CHARACTERS_MAX } from "../../../../engine/console/page/chat/limits.ts";

const marked = (before: string, after: string) =>
  diffLines(before, after)?.map((line) =>
    line.kind === "gap"
      ? `@${line.count}`
      : `${{ same: " ", added: "+", removed: "-" }[line.kind]}${line.text}`,
  );

describe("the difference of two texts", () => {
  const long = Array.from({ length: 20 }, (_, at) => `${at}\n`).join("");
  const rows: [name: string, before: string, after: string, lines: string[]][] = [
    ["a changed line", "a\nb\n", "a\nc\n", [" a\n", "-b\n", "+c\n"]],
    ["a new text", "", "a\nb", ["+a\n", "+b"]],
    ["an emptied text", "a\n", "", ["-a\n"]],
    ["a last line without its break", "a", "a\n", ["-a", "+a\n"]],
    ["line breaks of Windows", "a\r\n", "a\n", ["-a\r\n", "+a\n"]],
    ["equal texts", "a\nb\n", "a\nb\n", ["@2"]],
    [
      "few lines around a change",
      long,
      long.replace("10\n", "ten\n"),
      ["@7", " 7\n", " 8\n", " 9\n", "-10\n", "+ten\n", " 11\n", " 12\n", " 13\n", "@6"],
    ],
  ];
  for (const [name, before, after, lines] of rows) {
    it(name, () => assert.deepEqual(marked(before, after), lines));
  }

  it("is not made of texts that are too large, or differ too much", () => {
    assert.equal(diffLines("x".repeat(DIFF_CHARACTERS_MAX), "y"), undefined);
    const lines = (letter: string) =>
      Array.from({ length: 3000 }, (_, at) => `${letter}${at}\n`).join("");
    assert.equal(diffLines(lines("a"), lines("b")), undefined);
  });

  it("holds each line of both texts once", () => {
    const text = fc.array(fc.constantFrom("a\n", "b\n", "c\n"), { maxLength: 40 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before.join(""), after.join("")) ?? [];
        const count = (kinds: string[]) =>
          lines.reduce(
            (sum, line) =>
              sum + (line.kind === "gap" ? line.count : Number(kinds.includes(line.kind))),
            0,
          );
        assert.equal(count(["same", "removed"]), before.length);
        assert.equal(count(["same", "added"]), after.length);
      }),
    );
  });

  it("of a whole text has each of its lines", () => {
    assert.deepEqual(wholeAs("added", "a\nb"), [
      { kind: "added", text: "a\n" },
      { kind: "added", text: "b" },
    ]);
  });
});
