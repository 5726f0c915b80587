import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { parseFrozenObject } from "../../../engine/models/json-object.ts";
import { JSON_DEPTH_MAX } from "../../../engine/models/limits.ts";

const nested = (levels: number) => `{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`;

describe("The arguments of a tool call", () => {
  it("are what JSON says, frozen, whatever brackets and quotes their strings have", () => {
    const text = fc.string({ unit: fc.constantFrom("[", "{", "]", "}", '"', "\\", "a", "é") });
    // No escapes in keys: V8 may take one such key for another of the same length.
    const key = fc.string({ unit: fc.constantFrom("[", "{", "]", "}", "a") });
    const value = fc.oneof(text, fc.array(text), fc.dictionary(key, text));
    fc.assert(
      fc.property(fc.dictionary(key, value), fc.nat(2), (object, indent) => {
        const parsed = parseFrozenObject(JSON.stringify(object, null, indent));
        assert.deepEqual(JSON.stringify(parsed), JSON.stringify(object));
        assert.ok(Object.values({ parsed, ...parsed }).every(Object.isFrozen));
      }),
    );
  });

  it("may be nested to the limit, and brackets in a string are no nesting", () => {
    assert.ok(parseFrozenObject(nested(JSON_DEPTH_MAX)));
    assert.equal(parseFrozenObject(nested(JSON_DEPTH_MAX + 1)), undefined);
    const said = { a: '"[{'.repeat(1_000), b: "\\" };
    assert.deepEqual({ ...parseFrozenObject(JSON.stringify(said)) }, said);
  });

  it("are not parsed where they are deeper", (test) => {
    const parse = test.mock.method(JSON, "parse");
    assert.equal(parseFrozenObject(nested(500_000)), undefined);
    assert.equal(parse.mock.callCount(), 0);
  });

  it("are none where they are no object", () => {
    for (const text of ["[]", "1", "null", "{", "]]}}", '{"a":[}', '"'])
      assert.equal(parseFrozenObject(text), undefined, text);
    assert.deepEqual({ ...parseFrozenObject(" ") }, {});
  });
});
