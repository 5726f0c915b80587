import type { SearchMode } from "../retrieval.ts";
import {
  type Candidate,
  type Hybrid,
  hybridScores,
  inOrder,
  type Ranked,
  toList,
} from "./hybrid.ts";

interface FusionOptions extends Hybrid {
  mode: SearchMode;
  /** How many phrases the query quotes. A chunk that holds more of them stands before all that hold fewer. */
  phrases: number;
}

// Copies of one text, and chunks of one document beyond this number, lose this share of their score.
const COPY_FACTOR = 0.5;
const DOCUMENT_CHUNKS_FREE = 3;
const DOCUMENT_FACTOR = 0.7;

/** The candidates of all roots, by descending score. Keyword score, path and ordinal break ties. */
export function rank(candidates: readonly Candidate[], options: FusionOptions): Ranked[] {
  const scores = scoresOf(candidates, options);
  const ordered = toList(candidates, (hit) => scores.get(hit)).sort((a, b) => b.held - a.held);
  return demote(ordered)
    .map((hit) => ({ ...hit, score: (hit.held + hit.score) / (options.phrases + 1) }))
    .sort(inOrder);
}

// From 0 to 1. The lists of the mode decide which candidates have one.
function scoresOf(
  candidates: readonly Candidate[],
  options: FusionOptions,
): Map<Candidate, number> {
  switch (options.mode) {
    case "keyword":
      return topOf(candidates, ({ keyword }) => keyword && saturate(keyword), options.depth);
    case "vector":
      return topOf(candidates, ({ vector }) => vector, options.depth);
    case "hybrid":
      return hybridScores(candidates, options);
  }
}

/** Maps the unbounded BM25 score to a number below 1. */
export function saturate(keyword: number | undefined): number {
  return keyword === undefined ? 0 : keyword / (1 + keyword);
}

// The best of one list, and what holds a quoted phrase.
function topOf(
  candidates: readonly Candidate[],
  scoreOf: (candidate: Candidate) => number | undefined,
  depth: number,
): Map<Candidate, number> {
  const top = toList(candidates, scoreOf).filter(({ held }, at) => at < depth || held > 0);
  return new Map(top.map(({ hit, score }) => [hit, score]));
}

// Lowers the scores of repeats. None is removed, so the results of a smaller limit are a prefix of those of a larger one.
function demote(ranked: readonly Ranked[]): Ranked[] {
  const copies = new Map<string, number>();
  const documents = new Map<string, number>();
  const next = (counts: Map<string, number>, key: string) => {
    const before = counts.get(key) ?? 0;
    counts.set(key, before + 1);
    return before;
  };
  return ranked.map((hit) => {
    if (hit.sensitive) return hit;
    const copy = next(copies, `${hit.rootIndex} ${hit.contentKey}`);
    const sibling = next(documents, `${hit.rootIndex} ${hit.documentId}`);
    const crowd = Math.max(0, sibling - DOCUMENT_CHUNKS_FREE + 1);
    return {
      ...hit,
      score: hit.score * COPY_FACTOR ** Math.min(copy, 1) * DOCUMENT_FACTOR ** crowd,
    };
  });
}
