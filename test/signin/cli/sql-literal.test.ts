import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import fc from "fast-check";
import { toSqlLiteral } from "../../../signin/cli/d1-command-client.ts";
import { anyText } from "../../support/arbitraries.ts";

const database = new DatabaseSync(":memory:");
const read = (literal: string) => database.prepare(`SELECT ${literal} AS value`).get()?.value;
const NASTY = [
  "it's",
  "'; DROP TABLE users; --",
  "$$ BEGIN TRANSACTION; COMMIT; $$",
  "/* a",
  'quo"te`s',
  "%PATH% $HOME `id` \\",
  "a\nb\r\nc\0d",
  "ä😀\u202e",
  "",
];

describe("a value in a command", () => {
  it("is the same value for SQLite, whatever the text", () => {
    for (const text of NASTY) assert.equal(read(toSqlLiteral(text)), text);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        assert.equal(read(toSqlLiteral(text)), text);
      }),
    );
  });

  it("has no character that a shell, wrangler or SQLite reads as anything else", () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.constantFrom(...NASTY)), (text) => {
        assert.match(toSqlLiteral(text), /^(?:'[\w.:@-]*'|CAST\(X'[0-9a-f]*' AS TEXT\))$/);
      }),
    );
  });

  it("can be a whole number, a truth value or null", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (number) => {
        assert.equal(read(toSqlLiteral(number)), number);
      }),
    );
    assert.equal(read(`5-${toSqlLiteral(-3)}`), 8);
    assert.deepEqual([true, false, null].map(toSqlLiteral), ["1", "0", "NULL"]);
  });

  it("is nothing else", () => {
    for (const value of [
      0.5,
      2 ** 53,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      1n,
      new Uint8Array(2),
      undefined,
    ]) {
      assert.throws(() => toSqlLiteral(value as never), TypeError);
    }
  });
});
