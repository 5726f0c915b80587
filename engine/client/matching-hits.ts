// The cosine from which texts without a common word are alike. Nonsense reaches 0.19 with the built-in embedder.
const COSINE_MIN = 0.2;

interface ScoredHit {
  score: number;
  /** Only of a hybrid search. */
  keywordScore?: number | undefined;
  vectorScore?: number | undefined;
}

/** Whether a hit of a search has a word of the query, or is alike. A search ranks everything, also what hardly matches. */
export function isMatch(hit: ScoredHit, mode: "keyword" | "vector" | "hybrid"): boolean {
  const { score, keywordScore = 0, vectorScore = 0 } = hit;
  if (mode === "hybrid") return keywordScore > 0 || vectorScore >= COSINE_MIN;
  return mode === "keyword" || score >= COSINE_MIN;
}
