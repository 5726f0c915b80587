import type { Shares } from "../embedder.ts";
import { FEEDBACK_HITS } from "../limits.ts";
import type { ChunkRef } from "../sidecar/hit-store.ts";

/** A chunk of one list or several. */
export interface Candidate extends ChunkRef {
  rootIndex: number;
  /** The raw BM25 score; undefined if the keyword list lacks the chunk. */
  keyword: number | undefined;
  /** The cosine of the whole vectors; undefined if it is not above zero. */
  vector: number | undefined;
  /** The cosines of the parts of the vectors; none if the chunk has no vector. */
  parts: readonly number[];
  /** How many of the quoted phrases it holds. */
  held: number;
}

/** A candidate with a score. */
export interface Ranked extends Candidate {
  score: number;
}

/** The data of the roots that a hybrid score needs. */
export interface Hybrid {
  /** The hits of each list that are used. */
  depth: number;
  sharesOf(rootIndex: number): Shares;
  /** How alike chunks of a root are to others of its chunks, which have weights. */
  likeness(
    rootIndex: number,
    to: ReadonlyMap<number, number>,
    among: readonly number[],
  ): Map<number, number>;
}

// The least range of the cosines: where all texts are distant, the nearest one is not scaled up to 1.
const COSINE_RANGE_MIN = 0.25;

/**
 * A weighted sum of the keyword list and one list for each part of the vectors, from 0 to 1. Then what is like the first hits of
 * its root moves up a little (pseudo relevance feedback, decision E-RAG-43).
 */
export function hybridScores(
  candidates: readonly Candidate[],
  hybrid: Hybrid,
): Map<Candidate, number> {
  const topKeyword = candidates.reduce((top, { keyword = 0 }) => Math.max(top, keyword), 0);
  const parts = candidates.reduce((most, hit) => Math.max(most, hit.parts.length), 0);
  const lists = Array.from({ length: parts }, (_, part) =>
    scaleList(candidates, (hit) => hit.parts[part], hybrid.depth, COSINE_RANGE_MIN),
  );
  const roots = new Set(candidates.map(({ rootIndex }) => rootIndex));
  const sharesOf = new Map([...roots].map((root) => [root, hybrid.sharesOf(root).parts]));
  const scores = new Map<Candidate, number>();
  for (const hit of candidates) {
    if (hit.keyword === undefined && !lists.some((list) => list.has(hit))) continue;
    const shares = sharesOf.get(hit.rootIndex) ?? [];
    const rest = shares.reduce((left, share) => left - share, 1);
    let score = topKeyword > 0 ? rest * ((hit.keyword ?? 0) / topKeyword) : 0;
    lists.forEach((list, part) => {
      score += (shares[part] ?? 0) * (list.get(hit) ?? 0);
    });
    scores.set(hit, score);
  }
  return withFeedback(scores, hybrid);
}

function withFeedback(scores: Map<Candidate, number>, hybrid: Hybrid): Map<Candidate, number> {
  const best = Math.max(0, ...scores.values());
  const result = new Map<Candidate, number>();
  const byRoot = Map.groupBy(scores.keys(), ({ rootIndex }) => rootIndex);
  for (const [rootIndex, hits] of byRoot) {
    const { feedback } = hybrid.sharesOf(rootIndex);
    const first = toList(hits, (hit) => scores.get(hit)).slice(0, FEEDBACK_HITS);
    const alike = feedback > 0 ? likeFirst(hits, { rootIndex, first, hybrid }) : new Map();
    // A root that has nothing better than another one gains no more by it.
    const reach = best > 0 ? (first[0]?.score ?? 0) / best : 0;
    for (const hit of hits) {
      const own = (1 - feedback) * (scores.get(hit) ?? 0);
      result.set(hit, own + feedback * reach * (alike.get(hit) ?? 0));
    }
  }
  return result;
}

function likeFirst(
  hits: readonly Candidate[],
  { rootIndex, first, hybrid }: { rootIndex: number; first: readonly Ranked[]; hybrid: Hybrid },
): Map<Candidate, number> {
  const to = new Map(first.map(({ chunkId, score }) => [chunkId, score]));
  const among = hits.map(({ chunkId }) => chunkId);
  const likeness = hybrid.likeness(rootIndex, to, among);
  return scaleList(hits, ({ chunkId }) => likeness.get(chunkId), hybrid.depth, 0);
}

/**
 * The candidates with the best cosines above zero, which are scaled to 0 at the end of the list and 1 at its top. A list below
 * its full depth ends at cosine 0. Cosines that lie closer together than `rangeMin` are not stretched to the whole range.
 */
function scaleList(
  candidates: readonly Candidate[],
  cosineOf: (hit: Candidate) => number | undefined,
  depth: number,
  rangeMin: number,
): Map<Candidate, number> {
  const listed = toList(candidates, cosineOf)
    .filter(({ score }) => score > 0)
    .slice(0, depth);
  const top = listed[0]?.score ?? 0;
  const end = listed.length < depth ? 0 : (listed.at(-1)?.score ?? 0);
  const range = Math.max(top - end, rangeMin);
  return new Map(listed.map(({ hit, score }) => [hit, range > 0 ? (score - end) / range : 1]));
}

/** The candidates that have a score, best first. */
export function toList(
  candidates: readonly Candidate[],
  scoreOf: (hit: Candidate) => number | undefined,
): (Ranked & { hit: Candidate })[] {
  return candidates
    .flatMap((hit) => {
      const score = scoreOf(hit);
      return score === undefined ? [] : [{ ...hit, score, hit }];
    })
    .sort(inOrder);
}

/** By descending score. Keyword score, path and ordinal break ties. */
export function inOrder(a: Ranked, b: Ranked): number {
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
