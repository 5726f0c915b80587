import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { markWords } from "../../../../engine/console/page/ui/mark-words.ts";

describe("words of a query in a text", () => {
  const cases = [
    ["Bread and bread", "bread", "[Bread] and [bread]"],
    ["a+b (c)", "+ (", "a[+]b [(]c)"],
    ["nothing", "bread", "nothing"],
    ["nothing", "  ", "nothing"],
  ] as const;
  for (const [text, query, marked] of cases) {
    it(`${query}: ${marked}`, () => {
      const parts = markWords(text, query);
      assert.equal(parts.map((part, at) => (at % 2 ? `[${part}]` : part)).join(""), marked);
    });
  }
});
