import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  formatAgo,
  formatBytes,
  formatDuration,
  formatNumber,
} from "../../../../engine/console/page/ui/format.ts";

describe("what the console shows of", () => {
  const sizes = [
    [0, "0 bytes"],
    [1023, "1023 bytes"],
    [1024, "1.0 KiB"],
    [1536, "1.5 KiB"],
    [240 * 1024 * 1024, "240 MiB"],
    [5 * 1024 ** 5, "5120 TiB"],
  ] as const;
  it("a size", () => {
    for (const [bytes, shown] of sizes) assert.equal(formatBytes(bytes), shown);
  });

  const durations = [
    [-1, "0 ms"],
    [320.4, "320 ms"],
    [4_200, "4.2 s"],
    [40_000, "40 s"],
    [185_000, "3 min 5 s"],
    [180_000, "3 min"],
    [7_800_000, "2 h 10 min"],
    [442_800_000, "5 d 3 h"],
  ] as const;
  it("a duration", () => {
    for (const [ms, shown] of durations) assert.equal(formatDuration(ms), shown);
  });

  const now = Date.parse("2026-11-22T12:00:00.000Z");
  const moments = [
    ["2026-11-22T12:00:05.000Z", "now"],
    ["2026-11-22T11:55:00.000Z", "5 min ago"],
    ["2026-11-22T03:00:00.000Z", "9 h ago"],
    ["2026-11-20T12:00:00.000Z", "2 d ago"],
    ["2026-11-01T12:00:00.000Z", "1 Nov 2026"],
  ] as const;
  it("a moment", () => {
    for (const [at, shown] of moments) assert.equal(formatAgo(at, now), shown);
  });

  it("a large number", () => assert.equal(formatNumber(1_234_567), "1,234,567"));
});
