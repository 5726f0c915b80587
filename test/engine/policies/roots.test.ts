import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { parseDirectories, parseRagConfig } from "../../../engine/workspaces/roots.ts";

const MALFORMED = [null, "", "{", "undefined", "NaN", "[1,", "'x'", "\u0000"];
const NO_OBJECT = ["null", "[]", '"text"', "7", "true"];

describe("directories", () => {
  it("an array of strings is the roots, in order and as written", () => {
    assert.deepEqual(parseDirectories('["/b","/a/","relative",""]'), ["/b", "/a/", "relative", ""]);
  });

  it("anything else is no roots", () => {
    for (const text of [
      ...MALFORMED,
      "null",
      "{}",
      '"/a"',
      "7",
      '["/a", 1]',
      '["/a", null]',
      "[[]]",
    ])
      assert.deepEqual(parseDirectories(text), [], String(text));
  });
});

describe("ragConfig", () => {
  it("only a literal false disables", () => {
    const roots = ["/a", "/b", "/c", "/d", "/e"].map((path, at) => ({
      path,
      enabled: [false, true, 0, null, "false"][at],
    }));
    assert.deepEqual(
      parseRagConfig(JSON.stringify({ roots })).roots.map((root) => root.enabled),
      [false, true, true, true, true],
    );
  });

  it("entries that name no path are left out", () => {
    const text = '{"roots":[null,1,"/a",[],{},{"enabled":false},{"path":7,"enabled":false}]}';
    assert.deepEqual(parseRagConfig(text), { roots: [] });
  });

  it("what is malformed disables nothing", () => {
    const odd = ['{"roots":{}}', '{"roots":null}', '{"__proto__":{"roots":[]}}'];
    for (const text of [...MALFORMED, ...NO_OBJECT, ...odd])
      assert.deepEqual(parseRagConfig(text), { roots: [] }, String(text));
  });
});

it("no text makes a parser throw", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      parseDirectories(text);
      parseRagConfig(text);
    }),
  );
});
