import assert from "node:assert/strict";
import { it } from "node:test";
import { replaceParameters } from "../../../signin/workers/sql-parameters.ts";

const CASES: [sql: string, replaced: string][] = [
  ["SELECT ?, ?", "SELECT [0], [1]"],
  ["SELECT ?2, ?1, ?", "SELECT [1], [0], [1]"],
  ["SELECT :a, @b, $c_1, :a", "SELECT [a], [b], [c_1], [a]"],
  ["SELECT '?', ':a', 'it''s ?', ?", "SELECT '?', ':a', 'it''s ?', [0]"],
  ['SELECT "?", `:a`, ?', 'SELECT "?", `:a`, [0]'],
  ["SELECT ? -- what? 'x\n, ?", "SELECT [0] -- what? 'x\n, [1]"],
  ["SELECT /* ? ' :a */ ?", "SELECT /* ? ' :a */ [0]"],
  ["SELECT a::b, '", "SELECT a:[b], '"],
  ["SELECT 'open ?", "SELECT 'open ?"],
];

for (const [sql, replaced] of CASES) {
  it(`the parameters of ${JSON.stringify(sql)} are found outside of texts, names and comments`, () => {
    const found = replaceParameters(sql, (parameter) =>
      "name" in parameter ? `[${parameter.name}]` : `[${parameter.position}]`,
    );
    assert.equal(found, replaced);
  });
}
