import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { stem } from "../../../engine/retrieval/embedders/builtin/lsa/porter.ts";
import { keywordTerms, quotedPhrases } from "../../../engine/retrieval/text/keyword-query.ts";
import {
  estimateTokens,
  identifierParts,
  normalized,
  partsOf,
  toIndexText,
  wordsOf,
} from "../../../engine/retrieval/text/words.ts";
import { fold, queryWords } from "../../../engine/search/terms.ts";
import { anyText } from "../../support/arbitraries.ts";

it("words of one family have one stem", () => {
  const stems: [string, string][] = [
    ["caresses", "caress"],
    ["ponies", "poni"],
    ["agreed", "agre"],
    ["plastered", "plaster"],
    ["motoring", "motor"],
    ["conflated", "conflat"],
    ["hopping", "hop"],
    ["falling", "fall"],
    ["filing", "file"],
    ["happy", "happi"],
    ["relational", "relat"],
    ["conditional", "condit"],
    ["digitizer", "digit"],
    ["sensibiliti", "sensibl"],
    ["triplicate", "triplic"],
    ["electrical", "electr"],
    ["adjustment", "adjust"],
    ["adoption", "adopt"],
    ["probate", "probat"],
    ["rate", "rate"],
    ["controlling", "control"],
    ["roll", "roll"],
    ["übung", "übung"],
    ["go", "go"],
  ];
  for (const [word, expected] of stems) assert.equal(stem(word), expected, word);
});

it("an identifier is split at its words", () => {
  assert.deepEqual(partsOf("getUserName"), ["get", "user", "name"]);
  assert.deepEqual(partsOf("HTTPServer2"), ["http", "server", "2"]);
  assert.deepEqual(partsOf("utf8"), ["utf", "8"]);
  assert.deepEqual(partsOf("plain"), []);
  assert.deepEqual(partsOf("Plain"), []);
  assert.deepEqual(wordsOf("snake_case-and.dots"), ["snake", "case", "and", "dots"]);
  assert.equal(identifierParts("call getUserName() now"), "get user name");
});

it("every Chinese, Japanese and Korean character is a word, and emoji are none", () => {
  assert.deepEqual(wordsOf(toIndexText("日本語 text 🫠!")), ["日", "本", "語", "text"]);
});

it("a query is terms joined with OR, without stop words", () => {
  assert.deepEqual(keywordTerms("how does the cache refresh"), ['"cache"', '"refresh"']);
  assert.deepEqual(keywordTerms("the of and"), ['"the"', '"of"', '"and"']);
  assert.deepEqual(keywordTerms(" \t\n"), []);
  assert.deepEqual(keywordTerms('"*^:(-'), []);
  assert.ok(keywordTerms('find "exact words" here').includes('"exact words"'));
  assert.ok(keywordTerms("getUserName").includes('"user"'));
  assert.ok(keywordTerms("retriev").includes('"retriev"*'));
  assert.deepEqual(
    keywordTerms("日本語"),
    ['"日  本"', '"本  語"'].map((t) => t.replace("  ", " ")),
  );
});

it("no query is more than letters, marks and digits inside quotes", () => {
  fc.assert(
    fc.property(anyText({ maxLength: 200 }), (query) => {
      const terms = keywordTerms(query);
      assert.ok(terms.length <= 64);
      for (const term of terms)
        assert.match(term, /^"[\p{L}\p{M}\p{N}]+( [\p{L}\p{M}\p{N}]+)*"\*?$/u);
    }),
  );
});

it("tokens are four bytes, or one wide character", () => {
  assert.equal(estimateTokens(""), 1);
  assert.equal(estimateTokens("abcdefgh"), 2);
  assert.equal(estimateTokens("日本語"), 3);
});

describe("A run of combining marks, whose normalization takes time by its square", () => {
  const MARKS_MAX = 32;
  const runs = {
    "of two orders": "\u0301\u0323",
    "of three": "\u0327\u0301\u0323",
    "of one language": "\u0F71\u0F72\u0F74",
    "with letters that become marks": "\u0301\uFF9E",
  };
  for (const [name, marks] of Object.entries(runs)) {
    it(`${name} is cut before it, wherever text comes from`, () => {
      const text = `a${marks.repeat(500)}b "x${marks.repeat(500)}"`;
      const seen = [
        toIndexText(text),
        ...keywordTerms(text),
        ...quotedPhrases(text),
        ...queryWords(text),
        normalized(text, "NFD"),
      ];
      for (const part of seen) {
        // A mark may be two code points when it is composed or taken apart.
        for (const [run] of part.matchAll(/\p{M}+/gu)) assert.ok(run.length <= 2 * MARKS_MAX, part);
      }
      assert.ok(fold(`a${marks.repeat(500)}`).length <= 2 * MARKS_MAX);
    });
  }

  it("stays whole up to 32 of them, and text of any language stays as it is", () => {
    const short = `e${"\u0301\u0323".repeat(MARKS_MAX / 2)}`;
    assert.equal(normalized(short, "NFKC"), short.normalize("NFKC"));
    assert.equal(normalized(`${short}\u0301`, "NFKC"), short.normalize("NFKC"));
    for (const text of ["Tiếng Việt", "हिन्दी", "ｶﾞｷﾞｸﾞ", "ﬁn ①", "שָׁלוֹם"]) {
      for (const form of ["NFKC", "NFD"] as const) {
        assert.equal(normalized(text, form), text.normalize(form));
      }
    }
  });
});
