import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { matchingLines } from "../../../engine/cli/matching-lines.ts";
import { isMatch } from "../../../engine/client/matching-hits.ts";

describe("the lines that are shown of a hit", () => {
  const content = "# Plan\n\none\ntwo\nthree\nThe ZEPPELIN leaves\nfour\nat noon.\nfive\n";
  const table = [
    ["are those that hold most words", "zeppelin noon", [5, 6, 7]],
    ["are the first ones where none matches", "submarine", [0, 2, 3]],
    ["begin at the first of equal ones", "e", [0, 2, 3]],
    ["are few at the end", "five", [6, 7, 8]],
  ] as const;
  for (const [what, query, expected] of table) {
    it(what, () =>
      assert.deepEqual(
        matchingLines(content, query).map(({ at }) => at),
        expected,
      ),
    );
  }
});

describe("a hit", () => {
  const table = [
    ["hybrid", { score: 0.27, keywordScore: 0, vectorScore: 0.17 }, false],
    ["hybrid", { score: 0.12, keywordScore: 0.1, vectorScore: 0.02 }, true],
    ["hybrid", { score: 0.3, keywordScore: 0, vectorScore: 0.25 }, true],
    ["vector", { score: 0.17 }, false],
    ["vector", { score: 0.3 }, true],
    ["keyword", { score: 0.1 }, true],
  ] as const;
  for (const [mode, hit, expected] of table) {
    it(`of ${mode} search with ${JSON.stringify(hit)} ${expected ? "matches" : "hardly matches"}`, () => {
      assert.equal(isMatch(hit, mode), expected);
    });
  }
});
