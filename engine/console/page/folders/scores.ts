import type { RagResult } from "../../../client/client.ts";

/** The lengths of the two bars of a hit, 0 to 1; undefined if that list was not searched. */
export interface ScoreShares {
  keyword: number | undefined;
  vector: number | undefined;
}

type Scored = Pick<RagResult, "keywordScore" | "vectorScore">;

/** The bars of each hit: its scores as shares of the best ones, as scores of different responses cannot be compared. */
export function scoreShares(hits: readonly Scored[]): ScoreShares[] {
  const keywordMax = Math.max(0, ...hits.map(({ keywordScore = 0 }) => keywordScore));
  const vectorMax = Math.max(0, ...hits.map(({ vectorScore = 0 }) => vectorScore));
  return hits.map(({ keywordScore, vectorScore }) => ({
    keyword: shareOf(keywordScore, keywordMax),
    vector: shareOf(vectorScore, vectorMax),
  }));
}

function shareOf(score: number | undefined, max: number): number | undefined {
  if (score === undefined) return undefined;
  return max > 0 ? Math.max(0, score) / max : 0;
}
