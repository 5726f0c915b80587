import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CHALLENGE, toChallenge, VERIFIER } from "../../../signin/native/pkce.ts";

const ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";

describe("a code verifier", () => {
  const cases: [name: string, verifier: string, good: boolean][] = [
    ["43 characters", "a".repeat(43), true],
    ["128 characters", "a".repeat(128), true],
    ["every character of RFC 7636", ALPHABET, true],
    ["42 characters", "a".repeat(42), false],
    ["129 characters", "a".repeat(129), false],
    ["a plus", `${"a".repeat(43)}+`, false],
    ["a slash", `${"a".repeat(43)}/`, false],
    ["padding", `${"a".repeat(43)}=`, false],
    ["a space", `${"a".repeat(43)} `, false],
    ["a line feed at the end", `${"a".repeat(43)}\n`, false],
    ["a percent sign", `${"a".repeat(43)}%41`, false],
    ["a letter that is not ASCII", `${"a".repeat(43)}é`, false],
  ];
  for (const [name, verifier, good] of cases) {
    it(`with ${name} is ${good ? "accepted" : "refused"}`, () =>
      assert.equal(VERIFIER.test(verifier), good));
  }
});

describe("a code challenge", () => {
  it("is the one of RFC 7636, appendix B", async () => {
    const challenge = await toChallenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
    assert.equal(challenge, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    assert.ok(CHALLENGE.test(challenge));
  });

  const cases: [name: string, challenge: string][] = [
    ["42 characters", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-c"],
    ["44 characters", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cMA"],
    ["padding", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM="],
    ["plain base64", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw+cM"],
    ["more than 256 bits", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cN"],
  ];
  for (const [name, challenge] of cases) {
    it(`with ${name} is refused`, () => assert.equal(CHALLENGE.test(challenge), false));
  }
});
