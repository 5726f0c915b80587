import type { ModelUsage } from "../models/language-model.ts";
import { TOKENS_MAX } from "./limits.ts";
import type { Turn } from "./wire.ts";

/** Tokens as providers reported them; null where none did. */
export type TokenCounts = Pick<Turn, "inputTokens" | "outputTokens" | "cachedInputTokens">;

/** Before the first report. */
export const NOTHING_USED: TokenCounts = {
  inputTokens: null,
  outputTokens: null,
  cachedInputTokens: null,
};

/** The sums with what one more request used. */
export function addUsage(before: TokenCounts, usage: ModelUsage): TokenCounts {
  return {
    inputTokens: sum(before.inputTokens, usage.inputTokens),
    outputTokens: sum(before.outputTokens, usage.outputTokens),
    cachedInputTokens: sum(before.cachedInputTokens, usage.cachedInputTokens),
  };
}

/** A count that is no whole number from 0 to `TOKENS_MAX` was not reported. */
function sum(before: number | null, added: number | undefined): number | null {
  if (added === undefined || !Number.isInteger(added) || added < 0) return before;
  const total = (before ?? 0) + added;
  return total <= TOKENS_MAX ? total : before;
}
