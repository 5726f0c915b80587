import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { UsageGroup } from "../../../../../engine/client/client.ts";
import {
  amountOf,
  axisTop,
  dayBars,
  dearest,
  lastDays,
  shadedModels,
} from "../../../../../engine/console/page/usage/usage-days.ts";

function group(key: string, inputTokens: number | null, outputTokens: number | null, turns = 1) {
  return { key, turns, turnsWithoutUsage: 0, inputTokens, outputTokens } satisfies UsageGroup;
}

const OTHER_MODELS = "other models";

describe("usage", () => {
  it("is of the last days, in UTC, over the end of a month", () => {
    const now = Date.parse("2026-03-02T00:30:00.000+02:00");
    assert.deepEqual(lastDays(3, now), ["2026-02-27", "2026-02-28", "2026-03-01"]);
  });

  it("counts what was reported, and nothing where nothing was", () => {
    const cases = [
      [group("a", 10, 5), 15, 1],
      [group("a", null, 5, 3), 5, 3],
      [group("a", null, null, 2), 0, 2],
    ] as const;
    for (const [usage, tokens, turns] of cases) {
      assert.equal(amountOf(usage, "tokens"), tokens);
      assert.equal(amountOf(usage, "turns"), turns);
    }
  });

  it("is stacked by model, the largest first", () => {
    const models = shadedModels([group("small", 1, 1), group("large", 50, 50)], "tokens");
    assert.deepEqual(models, ["large", "small"]);
    const byDay = new Map([["2026-01-02", [group("small", 1, 1), group("large", 50, 50)]]]);
    assert.deepEqual(dayBars(["2026-01-01", "2026-01-02"], byDay, models, "tokens"), [
      { day: "2026-01-01", parts: [], total: 0 },
      {
        day: "2026-01-02",
        parts: [
          { model: "large", value: 100 },
          { model: "small", value: 2 },
        ],
        total: 102,
      },
    ]);
  });

  it("has one entry for all models after the first five", () => {
    const groups = Array.from({ length: 9 }, (_, at) => group(`m${at}`, 100 - at, 0));
    const models = shadedModels(groups, "tokens");
    assert.deepEqual(models, ["m0", "m1", "m2", "m3", "m4", OTHER_MODELS]);
    const [bar] = dayBars(["d"], new Map([["d", groups]]), models, "tokens");
    assert.deepEqual(bar?.parts.at(-1), { model: OTHER_MODELS, value: 95 + 94 + 93 + 92 });
    assert.equal(
      bar?.total,
      groups.reduce((sum, { inputTokens }) => sum + (inputTokens ?? 0), 0),
    );
    assert.equal(shadedModels(groups.slice(0, 6), "tokens").length, 6);
  });

  it("fits its axis", () => {
    const bar = (total: number) => ({ day: "d", parts: [], total });
    const tops = [
      [0, 1],
      [1, 1],
      [3, 3],
      [12, 20],
      [50, 50],
      [51, 60],
      [123_456, 200_000],
    ] as const;
    for (const [total, top] of tops) assert.equal(axisTop([bar(0), bar(total)]), top);
  });

  it("names the dearest threads first", () => {
    const groups = [group("a", 1, 1), group("b", 9, 9), group("c", null, null, 8)];
    assert.deepEqual(
      dearest(groups, "tokens", 2).map(({ key }) => key),
      ["b", "a"],
    );
    assert.deepEqual(
      dearest(groups, "turns", 1).map(({ key }) => key),
      ["c"],
    );
  });
});
