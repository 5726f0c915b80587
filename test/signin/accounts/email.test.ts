import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { parseEmail } from "../../../signin/accounts/email.ts";

const GOOD = [
  "a@example.test",
  "A.B+tag@Example.Test",
  "o'neil@example.co.uk",
  "x_y-z@sub.domain.example.test",
  "1@2.test",
  "müller@bücher.example",
  "a!#$%&'*/=?^_`{|}~b@example.test",
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
      assert.deepEqual(parseEmail(text), { email: text, norm: text.toLowerCase() });
    });
  }
  for (const [name, value] of Object.entries(BAD)) {
    it(`is refused with ${name}`, () => assert.equal(parseEmail(value), undefined));
  }

  it("has one form for its composed and decomposed spellings", () => {
    assert.equal(parseEmail("mu\u0308ller@example.test")?.norm, "m\u00fcller@example.test");
  });

  it("never holds what could begin another header or recipient", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
        const email = parseEmail(`${text}@example.test`)?.email;
        if (email !== undefined) assert.doesNotMatch(email, /[\s,;<>()\u0000-\u001f]/);
      }),
    );
  });
});
