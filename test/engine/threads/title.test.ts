import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toTitle } from "../../../engine/threads/wire.ts";

describe("the title of an implicit thread", () => {
  const cases = [
    ["", "New conversation"],
    [" \n\t\u00a0\u2003 ", "New conversation"],
    ["hello", "hello"],
    ["  a \n\n b\tc  ", "a b c"],
    ["\u0000a\u0000b", "a b"],
    ["x".repeat(60), "x".repeat(60)],
    ["x".repeat(61), "x".repeat(60)],
    ["😀".repeat(61), "😀".repeat(60)],
    [`${"x".repeat(59)} y`, `${"x".repeat(59)} `],
    [`${"x".repeat(59)}😀😀`, `${"x".repeat(59)}😀`],
  ] as const;
  for (const [text, title] of cases) {
    it(`of ${JSON.stringify(text).slice(0, 24)} is ${JSON.stringify(title).slice(0, 24)}`, () => {
      assert.equal(toTitle(text), title);
    });
  }
});
