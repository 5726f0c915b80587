import type { SearchMode } from "../retrieval.ts";
import type { Place } from "../sidecar/hit-store.ts";

/** A chunk of one list or both. */
export interface Candidate extends Place {
  rootIndex: number;
  /** The raw BM25 score; undefined where the keyword list lacks the chunk. */
  keyword: number | undefined;
  /** The cosine. */
  vector: number | undefined;
  /** How many of the quoted phrases it holds. */
  held: number;
}

/** A candidate with its final score. */
export interface Ranked extends Candidate {
  score: number;
}

interface FusionOptions {
  mode: SearchMode;
  /** The share of the vectors. */
  vectorWeight: number;
  /** The hits of each list that are used. */
  depth: number;
  /** How many phrases the query quotes. A chunk that holds more of them stands before all that hold fewer. */
  phrases: number;
}

// The least range of the cosines: where all texts are distant, the nearest one is not scaled up to 1.
const COSINE_RANGE_MIN = 0.25;
// Copies of one text, and chunks of one document beyond this number, lose this share of their score.
const COPY_FACTOR = 0.5;
const DOCUMENT_CHUNKS_FREE = 3;
const DOCUMENT_FACTOR = 0.7;

/** The candidates of all roots, by descending score. Keyword score, path and ordinal break ties. */
export function rank(candidates: readonly Candidate[], options: FusionOptions): Ranked[] {
  const { depth } = options;
  const keyword = topOf(candidates, (candidate) => candidate.keyword, { depth, rangeMin: 0 });
  const vector = topOf(candidates, (candidate) => candidate.vector, {
    depth,
    rangeMin: COSINE_RANGE_MIN,
  });
  const scored = candidates.flatMap((candidate) => {
    const score = scoreOf(candidate, { keyword, vector }, options);
    return score === undefined ? [] : [{ ...candidate, score }];
  });
  const ordered = scored.sort((a, b) => b.held - a.held || inOrder(a, b));
  return demote(ordered)
    .map((hit) => ({ ...hit, score: (hit.held + hit.score) / (options.phrases + 1) }))
    .sort(inOrder);
}

interface Lists {
  keyword: ReadonlyMap<Candidate, number>;
  vector: ReadonlyMap<Candidate, number>;
}

// From 0 to 1; undefined where the lists of the mode lack the candidate and it holds no phrase.
function scoreOf(
  candidate: Candidate,
  { keyword, vector }: Lists,
  { mode, vectorWeight }: FusionOptions,
): number | undefined {
  const k = keyword.get(candidate);
  const v = vector.get(candidate);
  switch (mode) {
    case "keyword":
      return k === undefined && candidate.held === 0 ? undefined : saturate(candidate.keyword);
    case "vector":
      return v === undefined ? undefined : candidate.vector;
    case "hybrid":
      if (k === undefined && v === undefined && candidate.held === 0) return undefined;
      return (1 - vectorWeight) * (k ?? 0) + vectorWeight * (v ?? 0);
  }
}

/** Maps the unbounded BM25 score to a number below 1. */
export function saturate(keyword: number | undefined): number {
  return keyword === undefined ? 0 : keyword / (1 + keyword);
}

// The best of one list, each scaled between the list's lowest and highest score. A list that is not full starts at 0.
function topOf(
  candidates: readonly Candidate[],
  listedBy: (candidate: Candidate) => number | undefined,
  { depth, rangeMin }: { depth: number; rangeMin: number },
): Map<Candidate, number> {
  const listed = candidates
    .flatMap((candidate) => {
      const score = listedBy(candidate);
      return score === undefined ? [] : [{ ...candidate, score, candidate }];
    })
    .sort(inOrder)
    .slice(0, depth);
  const top = listed[0]?.score ?? 0;
  const end = listed.length < depth ? 0 : (listed.at(-1)?.score ?? 0);
  const range = Math.max(top - end, rangeMin);
  return new Map(
    listed.map(({ candidate, score }) => [candidate, range > 0 ? (score - end) / range : 1]),
  );
}

function inOrder(a: Ranked, b: Ranked): number {
  return (
    b.score - a.score ||
    (b.keyword ?? 0) - (a.keyword ?? 0) ||
    compareText(a.path, b.path) ||
    a.ordinal - b.ordinal ||
    a.rootIndex - b.rootIndex
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
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
