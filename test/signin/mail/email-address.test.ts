import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { parseEmail } from "../../../signin/mail/email-address.ts";
import { anyText } from "../../support/arbitraries.ts";

const GOOD = [
  "a@example.test",
  "A.B+tag@Example.Test",
  "o'neil@example.co.uk",
  "x_y-z@sub.domain.example.test",
  "1@2.test",
  "müller@bücher.example",
  "a!#$%&'*/=?^_`{|}~b@example.test",
];

/** Spellings of a mailbox, and the one form that they share. */
const SPELLINGS: [spelling: string, norm: string][] = [
  ["müller@bücher.example", "müller@xn--bcher-kva.example"],
  ["müller@BÜCHER.example", "müller@xn--bcher-kva.example"],
  ["müller@xn--bcher-kva.example", "müller@xn--bcher-kva.example"],
  ["bomb@ｅxample.com", "bomb@example.com"],
  ["bomb@ＥＸＡＭＰＬＥ.ＣＯＭ", "bomb@example.com"],
  ["bomb@\u212aelvin.example", "bomb@kelvin.example"],
  ["u+tag@Example.com", "u+tag@example.com"],
];

const BAD: Record<string, unknown> = {
  nothing: "",
  "no at sign": "example.test",
  "two at signs": "a@b@example.test",
  "no local part": "@example.test",
  "no domain": "a@",
  "no dot in the domain": "a@localhost",
  "an empty label": "a@example..test",
  "a label that begins with a hyphen": "a@-example.test",
  "a label that ends with a hyphen": "a@example-.test",
  "a trailing dot": "a@example.test.",
  "an address literal": "a@[127.0.0.1]",
  "a display name": "Ada <a@example.test>",
  "a quoted local part": '"a b"@example.test',
  "a space": "a b@example.test",
  "a leading space": " a@example.test",
  "a line feed": "a@example.test\nBcc: b@example.test",
  "a carriage return": "a\r@example.test",
  "a right-to-left override": "a\u202eb@example.test",
  "a zero-width space": "a\u200bb@example.test",
  "a soft hyphen in the domain": "a@exam\u00adple.test",
  "a lone surrogate": "a\ud800b@example.test",
  "a replacement character": "a\ufffdb@example.test",
  "a Kelvin sign": "ba\u212aer@example.test",
  "an IP address for a domain": "a@127.0.0.1",
  "a number for the last label": "a@example.1",
  "a label of 64 characters": `a@${"b".repeat(64)}.test`,
  NUL: "a\u0000@example.test",
  "a comma": "a,b@example.test",
  "a semicolon": "a;b@example.test",
  "a leading dot": ".a@example.test",
  "a trailing dot in front of the at sign": "a.@example.test",
  "two dots": "a..b@example.test",
  "65 characters in front": `${"a".repeat(65)}@example.test`,
  "255 characters": `a@${"b".repeat(62)}.${"b".repeat(62)}.${"b".repeat(62)}.${"b".repeat(60)}.test`,
  "a number": 5,
  null: null,
  "an array": ["a@example.test"],
};

describe("an e-mail address", () => {
  for (const text of GOOD) {
    it(`may be ${text}`, () => {
      assert.equal(parseEmail(text)?.email, text);
      assert.equal(parseEmail(text)?.norm.split("@")[0], text.toLowerCase().split("@")[0]);
    });
  }
  for (const [spelling, norm] of SPELLINGS) {
    it(`is ${norm} where it is spelled ${spelling}`, () => {
      assert.equal(parseEmail(spelling)?.norm, norm);
    });
  }
  for (const [name, value] of Object.entries(BAD)) {
    it(`is refused with ${name}`, () => assert.equal(parseEmail(value), undefined));
  }

  it("has one form for its composed and decomposed spellings", () => {
    assert.equal(parseEmail("mu\u0308ller@example.test")?.norm, "m\u00fcller@example.test");
  });

  it("keeps its form when it is read again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), (text) => {
        const norm = parseEmail(`a@${text}.example`)?.norm;
        if (norm !== undefined) assert.equal(parseEmail(norm)?.norm, norm);
      }),
    );
  });

  it("never holds what could begin another header or recipient", () => {
    fc.assert(
      fc.property(anyText({ maxLength: 40 }), (text) => {
        const email = parseEmail(`${text}@example.test`)?.email;
        if (email !== undefined) assert.doesNotMatch(email, /[\s,;<>()\u0000-\u001f]/);
      }),
    );
  });
});
