import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { toPrintable } from "../../../shared/cli/printable.ts";
import { anyText } from "../../support/arbitraries.ts";

const TABLE: [what: string, text: string, shown: string][] = [
  ["keeps lines and tabs", "a\tb\nc", "a\tb\nc"],
  ["keeps other scripts and joined emoji", "żółć 東京 👩‍👩‍👧", "żółć 東京 👩‍👩‍👧"],
  ["removes escape sequences", "\u001b[2Jclear\u001b]0;title\u0007", "[2Jclear]0;title"],
  ["removes C1 controls", "\u009b31mred", "31mred"],
  ["removes what overwrites a line", "safe\rrm -rf", "saferm -rf"],
  ["removes marks of direction", "a\u202eb\u2066c\u200f", "abc"],
];
for (const [what, text, shown] of TABLE) it(what, () => assert.equal(toPrintable(text), shown));

it("gives the same for a text in pieces", () => {
  fc.assert(
    fc.property(anyText(), fc.nat(20), (text, at) => {
      const pieces = toPrintable(text.slice(0, at)) + toPrintable(text.slice(at));
      assert.equal(pieces, toPrintable(text));
    }),
  );
});
