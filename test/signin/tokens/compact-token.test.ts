import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { ACCESS_TOKEN_CHARACTERS_MAX } from "../../../signin/public-limits.ts";
import { isCompactToken } from "../../../signin/tokens/compact-token.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

describe("the text of an access token", () => {
  it("has one spelling of its signature: the one that Node writes", () => {
    const characters = fc.string({ unit: fc.constantFrom(...ALPHABET), maxLength: 90 });
    fc.assert(
      fc.property(characters, (text) => {
        const isCanonical = Buffer.from(text, "base64url").toString("base64url") === text;
        assert.equal(isCompactToken(`e30.e30.${text}`), isCanonical);
      }),
      { numRuns: 1000 },
    );
  });

  it("has every last character that Node writes, and no other", () => {
    for (const head of ["", "A", "AA", "AAA"]) {
      for (const last of ALPHABET) {
        const text = head + last;
        const isCanonical = Buffer.from(text, "base64url").toString("base64url") === text;
        assert.equal(isCompactToken(`e30.e30.${text}`), isCanonical, text);
      }
    }
  });

  it("is bounded, and no long text takes long", () => {
    const fits = `e30.e30.${"A".repeat(ACCESS_TOKEN_CHARACTERS_MAX - 8)}`;
    assert.equal(isCompactToken(fits), true);
    assert.equal(isCompactToken(`${fits}AAAA`), false);
  });
});
