import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BLOCK_DEPTH_MAX } from "../../../../engine/console/page/chat/limits.ts";
import { MarkdownDocument } from "../../../../engine/console/page/chat/markdown/document.ts";
import type { Block, Inline } from "../../../../engine/console/page/chat/markdown/tree.ts";

const treeOf = (text: string): Block[] =>
  new MarkdownDocument(text).blocks.flatMap(({ tree }) => tree);

function inlinesOf(text: string): readonly Inline[] {
  const [block] = treeOf(text);
  assert.equal(block?.kind, "paragraph");
  return block.children;
}

describe("what stands in a line", () => {
  const rows: [text: string, inlines: unknown[]][] = [
    ["a **b** c", ["a ", { kind: "strong", children: ["b"] }, " c"]],
    ["*a* ~~b~~", [{ kind: "em", children: ["a"] }, " ", { kind: "del", children: ["b"] }]],
    ["`<b>&amp;`", [{ kind: "code", text: "<b>&amp;" }]],
    ["a\nb", ["a", { kind: "break" }, "b"]],
    ["a<br>b", ["a", { kind: "break" }, "b"]],
    ["&lt;b&gt; &copy; &#65; &#x202e;&nope; &constructor;", ["<b> © A \u202e&nope; &constructor;"]],
    ["\\*a\\*", ["*a*"]],
    ["so $x_1$ is", ["so ", { kind: "math", tex: "x_1", isBlock: false }, " is"]],
    ["\\(a*b*c\\)", [{ kind: "math", tex: "a*b*c", isBlock: false }]],
    ["$$\na\n$$", [{ kind: "math", tex: "\na\n", isBlock: true }]],
    ["$5 and $10, $ 5 $, $5-$6, $$", ["$5 and $10, $ 5 $, $5-$6, $$"]],
  ];
  for (const [text, inlines] of rows) {
    it(JSON.stringify(text), () => assert.deepEqual(inlinesOf(text), inlines));
  }
});

describe("links", () => {
  const rows: [text: string, href: string | undefined, host?: string][] = [
    ["[a](https://example.org/x)", "https://example.org/x", "example.org"],
    ["[a](http://user:word@example.org)", "http://user:word@example.org/", "example.org"],
    ["[bank.example](https://evil.example)", "https://evil.example/", "evil.example"],
    ["[a](mailto:ada@example.org)", "mailto:ada@example.org", "ada@example.org"],
    ["https://example.org/a", "https://example.org/a", undefined],
    ["<https://example.org>", "https://example.org/", undefined],
    ["[a](https://exämple.org)", "https://xn--exmple-cua.org/", "xn--exmple-cua.org"],
    ["![pixel](https://example.org/p.png)", "https://example.org/p.png", "example.org"],
    ["[a](javascript:alert(1))", undefined],
    ["[a](JaVaScRiPt:alert(1))", undefined],
    ["[a](java&#115;cript:alert(1))", undefined],
    ["[a](&#106;avascript:alert(1))", undefined],
    ["[a](\u0001javascript:alert(1))", undefined],
    ["[a](data:text/html,x)", undefined],
    ["[a](vbscript:x)", undefined],
    ["[a](file:///etc/passwd)", undefined],
    ["[a](blob:https://example.org/1)", undefined],
    ["[a](//example.org)", undefined],
    ["[a](/console/)", undefined],
    ["[a](#/chat)", undefined],
    ["![a](javascript:alert(1))", undefined],
    ["[a]: javascript:alert(1)\n\n[a]", undefined],
  ];
  for (const [text, href, host] of rows) {
    it(text.slice(0, 60), () => {
      const link = JSON.stringify(treeOf(text)).includes('"link"')
        ? findLink(treeOf(text))
        : undefined;
      assert.equal(link?.href, href);
      if (href !== undefined) assert.equal(link?.host, host);
    });
  }
});

function findLink(blocks: readonly Block[]): Extract<Inline, { kind: "link" }> | undefined {
  for (const block of blocks) {
    if (block.kind !== "paragraph") continue;
    for (const inline of block.children) {
      if (typeof inline === "object" && inline.kind === "link") return inline;
    }
  }
  return undefined;
}

describe("markup", () => {
  for (const text of [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '<a href="javascript:alert(1)">x</a>',
    "<!-- x -->",
    "<iframe src=//example.org></iframe>",
    "<svg/onload=alert(1)>",
    "<style>*{display:none}</style>",
    "</div><div id=console>",
  ]) {
    it(`is text: ${text}`, () => {
      const tree = treeOf(text);
      const shown = tree.map((block) =>
        block.kind === "plain"
          ? block.text
          : block.kind === "paragraph"
            ? block.children.join("")
            : "",
      );
      assert.deepEqual(shown, [text]);
    });
  }
});

describe("hostile text", () => {
  const texts = {
    quotes: ">".repeat(8000),
    lists: "* ".repeat(4000),
    numbers: "1. ".repeat(2600),
    "quotes and lists": "> - ".repeat(2000),
    brackets: "[".repeat(8000),
    images: "![".repeat(4000),
    marks: "a*".repeat(4000),
    underlines: "_a".repeat(4000),
    addresses: "a.b-c_".repeat(1300),
    nested: `${"**a *b ".repeat(500)}${"* **".repeat(500)}`,
  };
  for (const [name, text] of Object.entries(texts)) {
    it(`${name} are read within a bounded depth`, () => {
      const depth = depthOf(treeOf(`${text}a`));
      assert.ok(depth <= 4 * BLOCK_DEPTH_MAX, String(depth));
    });
  }
});

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

it("a table has its alignment, and a task its box", () => {
  assert.deepEqual(treeOf("| a | b |\n|:-:|--:|\n| 1 | **2** |"), [
    {
      kind: "table",
      isContinued: false,
      head: [
        { align: "center", children: ["a"] },
        { align: "right", children: ["b"] },
      ],
      rows: [
        [
          { align: "center", children: ["1"] },
          { align: "right", children: [{ kind: "strong", children: ["2"] }] },
        ],
      ],
    },
  ]);
  assert.deepEqual(treeOf("- [x] a"), [
    {
      kind: "list",
      start: undefined,
      items: [[{ kind: "paragraph", children: [{ kind: "check", isDone: true }, "a"] }]],
    },
  ]);
});
