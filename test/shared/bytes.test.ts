import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  concatBytes,
  fromBase64Url,
  fromUtf8,
  toBase64Url,
  toHex,
  utf8,
} from "../../shared/bytes.ts";
import { equalsConstantTime } from "../../shared/constant-time.ts";

const bytes = fc.uint8Array({ maxLength: 70 });

describe("base64url", () => {
  it("comes back as it went, with padding or without", () => {
    fc.assert(
      fc.property(bytes, (given) => {
        const text = toBase64Url(given);
        assert.match(text, /^[A-Za-z0-9_-]*$/);
        assert.deepEqual(fromBase64Url(text), new Uint8Array(given));
        const padded = text.padEnd(Math.ceil(text.length / 4) * 4, "=");
        assert.deepEqual(fromBase64Url(padded), new Uint8Array(given));
      }),
    );
  });

  it("holds arrays that are larger than a call's arguments", () => {
    const given = new Uint8Array(300_000).fill(0xfb);
    assert.deepEqual(fromBase64Url(toBase64Url(given)), given);
  });

  for (const text of ["A", "AB=", "AAA==", "AB", "AA===", "A+/=", "AA A", "AAAA\n", "é"]) {
    it(`is refused where it is not canonical: ${JSON.stringify(text)}`, () => {
      assert.equal(fromBase64Url(text), undefined);
    });
  }
});

describe("UTF-8", () => {
  it("is read strictly, and a BOM stays", () => {
    assert.throws(() => fromUtf8(new Uint8Array([0xc3, 0x28])), TypeError);
    assert.equal(fromUtf8(utf8("\uFEFFa")), "\uFEFFa");
  });
});

describe("hex and concatenation", () => {
  it("keep every byte", () => {
    assert.equal(toHex(concatBytes([new Uint8Array([0, 15]), new Uint8Array([255])])), "000fff");
  });
});

describe("comparison in constant time", () => {
  it("agrees with equality", () => {
    const short = fc.string({ maxLength: 4 });
    fc.assert(
      fc.property(short, short, (left, right) => {
        assert.equal(equalsConstantTime(left, right), left === right);
        assert.equal(equalsConstantTime(left, left), true);
        assert.equal(equalsConstantTime(utf8(left), right), left === right);
      }),
    );
  });

  for (const [given, expected] of [
    ["", "a"],
    ["a", ""],
    ["ab", "a"],
    ["a", "ab"],
    ["aa", "a"],
    ["abab", "ab"],
  ] as const) {
    it(`tells ${JSON.stringify(given)} from ${JSON.stringify(expected)}`, () => {
      assert.equal(equalsConstantTime(given, expected), false);
    });
  }
});
