// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { BLOCK_CHARACTERS_MAX } from "../../../../engine/console/page/chat/limits.ts";
import {
  NO_TEXT,
  readBlocks,
  tokensOf,
} from "../../../../engine/console/page/chat/markdown/blocks.ts";
import { repeats } from "../../../support/repeats.ts";

const blocksOf = (text: string) => readBlocks(text).blocks;

describe("a text is split into blocks", () => {
  const rows: [name: string, text: string, blocks: [kind: string, source: string][]][] = [
    [
      "paragraphs",
      "a\nb\n\nc",
      [
        ["paragraph", "a\nb"],
        ["paragraph", "c"],
      ],
    ],
    [
      "a heading is a block",
      "a\n# b\nc",
      [
        ["paragraph", "a"],
        ["heading", "# b"],
        ["paragraph", "c"],
      ],
    ],
    [
      "a list keeps its blank lines",
      "- a\n\n- b\n\n  c\n\nd",
      [
        ["list", "- a\n\n- b\n\n  c"],
        ["paragraph", "d"],
      ],
    ],
    [
      "a list begins behind a text",
      "a\n- b",
      [
        ["paragraph", "a"],
        ["list", "- b"],
      ],
    ],
    ["a number in a text begins none", "in\n1986. was", [["paragraph", "in\n1986. was"]]],
    [
      "a fence",
      "a\n```ts\n# b\n\nc\n```\nd",
      [
        ["paragraph", "a"],
        ["code", "```ts\n# b\n\nc\n```"],
        ["paragraph", "d"],
      ],
    ],
    ["an open fence", "```\na\n", [["code", "```\na"]]],
    ["a fence of tildes holds backticks", "~~~\n```\n~~~", [["code", "~~~\n```\n~~~"]]],
    ["a longer fence holds a shorter one", "````\n```\n````", [["code", "````\n```\n````"]]],
    [
      "a fence of an item belongs to it",
      "- a\n  ```\n  b\n  ```",
      [["list", "- a\n  ```\n  b\n  ```"]],
    ],
    ["code in a line is no fence", "```a``` b", [["paragraph", "```a``` b"]]],
    ["nothing", "\n \n", []],
  ];
  for (const [name, text, blocks] of rows) {
    it(name, () => {
      const found = blocksOf(text).map((block) => [
        tokensOf(block)
          .map(({ type }) => type)
          .join(),
        block.source,
      ]);
      assert.deepEqual(found, blocks);
    });
  }

  it("the content of a fence is code, however long it is and whatever it looks like", () => {
    const code = `${"# a\n\n- b\n".repeat(10_000)}~~~\n`;
    const blocks = blocksOf(`- x\n\n\`\`\`md\n${code}\`\`\`\n\n- y`);
    const tokens = blocks.map((block) => tokensOf(block)[0]);
    assert.deepEqual(
      tokens.map((token) => token?.type),
      ["list", "code", "list"],
    );
    const [, read] = tokens;
    assert.ok(read?.type === "code" && read.lang === "md" && read.text === code.slice(0, -1));
  });

  it("a line that is too long is plain text in pieces, which hold all of it", () => {
    const line = "x".repeat(5_000_000);
    const blocks = blocksOf(`a\n${line}\nb`);
    const plain = blocks.filter(({ isPlain }) => isPlain);
    assert.equal(plain.map(({ source }) => source).join(""), `${line}\n`);
    assert.ok(plain.every(({ source }) => source.length <= BLOCK_CHARACTERS_MAX));
    assert.deepEqual([blocks[0]?.source, blocks.at(-1)?.source], ["a", "b"]);
  });

  it("a long table is cut between rows, and each part has its head", () => {
    const rows = Array.from({ length: 3000 }, (_, at) => `| ${at} | b |`).join("\n");
    const parts = blocksOf(`| n | m |\n|---|---|\n${rows}`);
    assert.ok(parts.length > 3);
    assert.ok(parts.every(({ source }) => source.length <= BLOCK_CHARACTERS_MAX));
    assert.deepEqual(
      new Set(parts.slice(1).map(({ header }) => header)),
      new Set(["| n | m |\n|---|---|\n"]),
    );
  });

  it("a table ends before a blank line and a line that is too long, and its head is of no later block", () => {
    const table = "| a | b |\n|---|---|\n| c | d |";
    const line = "x".repeat(BLOCK_CHARACTERS_MAX + 1);
    for (const gap of ["\n\n", "\n\n\n"]) {
      const [first, ...others] = blocksOf(`${table}${gap}${line}\n| e |`);
      assert.deepEqual([first?.source, first?.header], [table, ""]);
      assert.ok(others.every(({ header }) => header === ""));
      assert.equal(others.map(({ source }) => source).join(""), `${line}\n| e |`);
    }
  });

  it("a long list is cut before an item", () => {
    const parts = blocksOf("1. one\n   more\n".repeat(2000));
    assert.ok(parts.length > 3);
    assert.ok(parts.every(({ source }) => source.startsWith("1. one")));
  });
});

describe("a text that grows", () => {
  const line = fc.constantFrom(
    "text",
    "",
    "# h",
    "- a",
    "  b",
    "1. c",
    "```",
    "```ts",
    "~~~",
    "| a | b |",
    "|---|---|",
    "> q",
    "#",
    "--",
    "===",
    "<div>",
    "<!-- c",
    "[a]: b",
    "    d",
    "\t- e",
    "\r",
    "> ```",
    "  ```",
    "word ".repeat(BLOCK_CHARACTERS_MAX / 10),
    "| c | d |\n".repeat(BLOCK_CHARACTERS_MAX / 20),
    "- e\n  f\n".repeat(BLOCK_CHARACTERS_MAX / 15),
    "x".repeat(BLOCK_CHARACTERS_MAX + 9),
  );
  const pieces = fc.array(
    fc.tuple(fc.array(line, { maxLength: 5 }), fc.constantFrom("", "\n", "\n\n")),
  );

  it("has the same blocks as if it came at once", () => {
    fc.assert(
      fc.property(pieces, (all) => {
        let read = NO_TEXT;
        let text = "";
        for (const [lines, end] of all) {
          text += lines.join("\n") + end;
          read = readBlocks(text, read);
          assert.deepEqual(read.blocks, blocksOf(text));
        }
      }),
      { numRuns: repeats({ once: 40, long: 2_000 }) },
    );
  });

  it("is read again in its last block alone, at 200 KB, too", () => {
    const section =
      "## Part\n\nSome **bold** text and `code`.\n\n- one\n- two\n\n```ts\nlet a;\n```\n\n";
    const text = section.repeat(Math.ceil(200_000 / section.length));
    const start = text.length - 20_000;
    let read = readBlocks(text.slice(0, start));
    let most = 0;
    for (let end = start; end < text.length; end += 40) {
      const before = read.blocks;
      read = readBlocks(text.slice(0, end), read);
      const last = read.blocks.findLastIndex((block, at) => block === before[at]);
      most = Math.max(most, read.blocks.length - last - 1);
    }
    assert.ok(most <= 5, `${most} blocks for 40 characters`);
  });

  it("keeps the blocks that did not change as the same objects", () => {
    const before = readBlocks("a\n\nb\n\nc\n\nd");
    const after = readBlocks("a\n\nb\n\nc\n\nd and more\n\ne", before);
    assert.equal(after.blocks[0], before.blocks[0]);
    assert.equal(after.blocks[1], before.blocks[1]);
  });

  it("may take a line back that looked like the beginning of a block", () => {
    for (const [before, after] of [
      ["a\n```ts", "a\n```ts``` b"],
      ["a\n#", "a\n#b"],
    ] as const) {
      assert.deepEqual(readBlocks(after, readBlocks(before)).blocks, blocksOf(after));
    }
  });

  it("that is replaced is read anew", () => {
    const { blocks } = readBlocks("c", readBlocks("a\n\nb"));
    assert.deepEqual(
      blocks.map(({ source }) => source),
      ["c"],
    );
  });
});
