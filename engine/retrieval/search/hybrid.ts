import type { Shares } from "../embedder.ts";
import { FEEDBACK_HITS } from "../limits.ts";
import type { ChunkRef } from "../sidecar/hit-store.ts";
import { inOrder, scaleList } from "./scaled-list.ts";

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
    scaleList(candidates, (hit) => aboveZero(hit.parts[part]), {
      depth: hybrid.depth,
      rangeMin: COSINE_RANGE_MIN,
    }),
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

function aboveZero(cosine: number | undefined): number | undefined {
  return cosine !== undefined && cosine > 0 ? cosine : undefined;
}

function withFeedback(scores: Map<Candidate, number>, hybrid: Hybrid): Map<Candidate, number> {
  const best = Math.max(0, ...scores.values());
  const result = new Map<Candidate, number>();
  const byRoot = Map.groupBy(scores.keys(), ({ rootIndex }) => rootIndex);
  for (const [rootIndex, hits] of byRoot) {
    const { feedback } = hybrid.sharesOf(rootIndex);
    const scored = hits.map((hit) => ({ ...hit, score: scores.get(hit) ?? 0 }));
    const first = scored.sort(inOrder).slice(0, FEEDBACK_HITS);
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
  about: {
    rootIndex: number;
    first: readonly { chunkId: number; score: number }[];
    hybrid: Hybrid;
  },
): Map<Candidate, number> {
  const { rootIndex, first, hybrid } = about;
  const to = new Map(first.map(({ chunkId, score }) => [chunkId, score]));
  const among = hits.map(({ chunkId }) => chunkId);
  const likeness = hybrid.likeness(rootIndex, to, among);
  return scaleList(hits, ({ chunkId }) => aboveZero(likeness.get(chunkId)), {
    depth: hybrid.depth,
    rangeMin: 0,
  });
}
