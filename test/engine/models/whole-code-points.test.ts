import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { WholeCodePoints } from "../../../engine/models/whole-code-points.ts";
import { anyText } from "../../support/arbitraries.ts";

describe("Text that arrives in pieces", () => {
  it("is shown whole, and never with a half of a character, however it is cut", () => {
    const texts = anyText();
    fc.assert(
      fc.property(texts, fc.array(fc.nat(20)), (text, cuts) => {
        const units = new WholeCodePoints();
        const shown: string[] = [];
        let at = 0;
        for (const cut of [...cuts, text.length]) {
          shown.push(units.push(text.slice(at, at + cut)));
          at += cut;
        }
        shown.push(units.flush());
        for (const piece of shown) assert.equal(piece.isWellFormed(), true);
        assert.equal(shown.join(""), text);
      }),
    );
  });

  it("has U+FFFD where a half stays alone", () => {
    const units = new WholeCodePoints();
    assert.equal(units.push("a\ud83d"), "a");
    assert.equal(units.push("b\udc4b"), "\ufffdb\ufffd");
    assert.equal(units.push("\ud83d"), "");
    assert.equal(units.flush(), "\ufffd");
    assert.equal(units.flush(), "");
  });
});
