import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isOneLine, toOneLine } from "../../signin/one-line.ts";

const LINES = ["Ann Example", "名前", "👩‍👩‍👧", "عربى", "שלום", "a\u200bb", "", " a "];
const OTHERS: [text: string, line: string][] = [
  ["a\nb", "a b"],
  ["a\r\nBcc: b", "a Bcc: b"],
  ["a\u0000b", "a b"],
  ["a\u0085b", "a b"],
  ["a\u2028\u2029b", "a b"],
  ["\u202egnp.exe", "gnp.exe"],
  ["a \u2066b\u2069", "a b"],
];

describe("one line of text", () => {
  for (const text of LINES) {
    it(`is ${JSON.stringify(text)}`, () => assert.equal(isOneLine(text), true));
  }

  for (const [text, line] of OTHERS) {
    it(`is not ${JSON.stringify(text)}, and becomes ${JSON.stringify(line)}`, () => {
      assert.equal(isOneLine(text), false);
      assert.equal(toOneLine(text), line);
      assert.equal(isOneLine(line), true);
    });
  }

  it("is not half of a surrogate pair", () => assert.equal(isOneLine("a\ud800"), false));
});
