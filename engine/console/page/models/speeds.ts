import type { Turn } from "../../../client/client.ts";

type Measured = Pick<Turn, "model" | "state" | "outputTokens" | "startedAt" | "endedAt">;

/**
 * Tokens of the answer a second, by model configuration, over completed turns whose provider reported tokens. A turn also waits
 * for prompts, tools and approvals, so this is what a person sees, and less than what the model writes at best.
 */
export function speedsOf(turns: readonly Measured[]): Map<string, number> {
  const sums = new Map<string, { tokens: number; ms: number }>();
  for (const { model, state, outputTokens, startedAt, endedAt } of turns) {
    if (state !== "completed" || outputTokens === null || endedAt === null) continue;
    const { tokens, ms } = sums.get(model) ?? { tokens: 0, ms: 0 };
    const tookMs = Math.max(0, Date.parse(endedAt) - Date.parse(startedAt));
    sums.set(model, { tokens: tokens + outputTokens, ms: ms + tookMs });
  }
  const known = [...sums].filter(([, { ms }]) => ms > 0);
  return new Map(known.map(([model, { tokens, ms }]) => [model, (tokens * 1000) / ms]));
}
