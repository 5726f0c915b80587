import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Token, Tokens } from "marked";
import { BLOCK_DEPTH_MAX } from "../../../../engine/console/page/chat/limits.ts";
import { readBlocks, tokensOf } from "../../../../engine/console/page/chat/markdown/blocks.ts";
import { toSafeLink } from "../../../../engine/console/page/chat/markdown/safe-link.ts";

const tokensIn = (text: string) => readBlocks(text).blocks.flatMap(tokensOf);

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
      const link = findLink(tokensIn(text));
      const safe = link && toSafeLink(link);
      assert.equal(safe?.href, href);
      if (href !== undefined) assert.equal(safe?.host, host);
    });
  }
});

function findLink(blocks: readonly Token[]): Tokens.Link | Tokens.Image | undefined {
  const inlines = blocks.flatMap((block) => ("tokens" in block ? (block.tokens ?? []) : []));
  return inlines.find(({ type }) => type === "link" || type === "image") as
    | Tokens.Link
    | Tokens.Image
    | undefined;
}

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
      const depth = depthOf(tokensIn(`${text}a`));
      assert.ok(depth <= 5 * BLOCK_DEPTH_MAX, String(depth));
    });
  }
});

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
