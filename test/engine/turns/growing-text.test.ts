import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { GrowingText } from "../../../engine/turns/turn-events.ts";

const BLOCK = 8;

it("a growing text gives its beginning in blocks of one length, whatever it was made of", () => {
  const part = fc.string({ unit: "grapheme", maxLength: 3 * BLOCK });
  fc.assert(
    fc.property(part, fc.array(part), fc.nat({ max: 200 }), (first, parts, wanted) => {
      const text = new GrowingText(first, BLOCK);
      for (const each of parts) text.append(each);
      const whole = [first, ...parts].join("");
      assert.equal(text.length, whole.length);
      const end = Math.min(wanted, whole.length);
      const blocks = [...text.blocks(end)];
      assert.equal(blocks.join(""), whole.slice(0, end));
      assert.ok(blocks.slice(0, -1).every(({ length }) => length === BLOCK));
      assert.ok(blocks.every(({ length }) => length > 0 && length <= BLOCK));
    }),
  );
});
