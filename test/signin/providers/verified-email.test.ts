import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chooseVerifiedEmail } from "../../../signin/providers/oauth-profiles.ts";

const A = { email: "a@example.test", primary: false, verified: true };
const B = { email: "b@example.test", primary: true, verified: true };

describe("the address of an OAuth identity", () => {
  const cases: [name: string, list: unknown[], chosen: string | undefined][] = [
    ["the primary one where it is verified", [A, B], "b@example.test"],
    [
      "another verified one where the primary is not",
      [{ ...B, verified: false }, A],
      "a@example.test",
    ],
    [
      "the first of several verified ones",
      [A, { ...A, email: "c@example.test" }],
      "a@example.test",
    ],
    [
      "none where none is verified",
      [
        { ...A, verified: false },
        { ...B, verified: false },
      ],
      undefined,
    ],
    ["none of an empty list", [], undefined],
    ["none where verified is a text", [{ ...B, verified: "true" }], undefined],
    ["none where verified is a number", [{ ...B, verified: 1 }], undefined],
    ["none where verified is missing", [{ email: "b@example.test", primary: true }], undefined],
    ["not the primary one by a truthy text", [A, { ...B, primary: "yes" }], "a@example.test"],
    ["not a malformed one", [{ ...B, email: "not an address" }, A], "a@example.test"],
    ["not a number", [{ ...B, email: 5 }], undefined],
    ["not an object", [{ ...B, email: { a: 1 } }], undefined],
    ["whatever else stands in the list", [null, 1, "x", [], undefined, B], "b@example.test"],
  ];
  for (const [name, list, chosen] of cases) {
    it(`is ${name}`, () => assert.equal(chooseVerifiedEmail(list)?.email, chosen));
  }
});
