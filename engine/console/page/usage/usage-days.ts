import type { UsageTotal } from "../../../client/client.ts";

const DAY_MS = 86_400_000;

/** The days up to today, in UTC, the oldest first. */
export function lastDays(count: number, nowMs: number): string[] {
  return Array.from({ length: count }, (_, at) =>
    new Date(nowMs - (count - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );
}

/** Tokens that were read and written. Those that no provider reported count as none. */
export function tokensOf({ inputTokens, outputTokens }: UsageTotal): number {
  return (inputTokens ?? 0) + (outputTokens ?? 0);
}

/** The top of the axis: the next of 1, 2, 3, 4, 5, 6, 8, 10, 20 … that holds the tallest bar. */
export function axisTop(tallest: number): number {
  const least = Math.max(1, tallest);
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((top) => top >= least) ?? least;
}
