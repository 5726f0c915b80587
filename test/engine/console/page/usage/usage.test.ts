import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { lastDays, tokensOf } from "../../../../../engine/console/page/usage/usage-days.ts";

describe("usage", () => {
  it("is of the last days, in UTC, over the end of a month", () => {
    const now = Date.parse("2026-03-02T00:30:00.000+02:00");
    assert.deepEqual(lastDays(3, now), ["2026-02-27", "2026-02-28", "2026-03-01"]);
  });

  it("counts what was reported, and nothing where nothing was", () => {
    const cases = [
      [10, 5, 15],
      [null, 5, 5],
      [null, null, 0],
    ] as const;
    for (const [inputTokens, outputTokens, tokens] of cases) {
      assert.equal(
        tokensOf({
          turns: 1,
          turnsWithoutUsage: 0,
          inputTokens,
          outputTokens,
          cachedInputTokens: null,
        }),
        tokens,
      );
    }
  });
});
