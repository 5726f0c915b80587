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
