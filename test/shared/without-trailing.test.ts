import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseBaseUrl } from "../../engine/models/providers/registry.ts";
import { withoutTrailing } from "../../shared/without-trailing.ts";

describe("a text without what it ends in", () => {
  for (const [text, characters, expected] of [
    ["", "/", ""],
    ["/", "/", ""],
    ["a/b//", "/", "a/b"],
    ["a/b", "/", "a/b"],
    ["//a", "/", "//a"],
    ["a\r\n\n", "\r\n", "a"],
    ["a==", "=", "a"],
  ] as const) {
    it(`${JSON.stringify(text)} without ${JSON.stringify(characters)}`, () => {
      assert.equal(withoutTrailing(text, characters), expected);
    });
  }

  it("is found in one pass: a base URL of millions of slashes holds nothing up", {
    timeout: 60_000,
  }, () => {
    const slashes = "/".repeat(8_000_000);
    assert.equal(parseBaseUrl(`http://127.0.0.1:1${slashes}`), "http://127.0.0.1:1");
    const inside = parseBaseUrl(`http://127.0.0.1:1${slashes}v1`);
    assert.equal(inside.length, "http://127.0.0.1:1v1".length + slashes.length);
  });
});
