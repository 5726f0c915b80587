import type { ChunkRef } from "../sidecar/hit-store.ts";

/** The sort keys of hits: the score, then keyword score, path and ordinal. */
export interface Ordered extends Pick<ChunkRef, "path" | "ordinal"> {
  score: number;
  keyword: number | undefined;
  rootIndex: number;
}

interface Scale {
  /** The hits of the list that are used. */
  depth: number;
  /** Where the scores lie closer together, they are not stretched to the whole range. */
  rangeMin: number;
}

/**
 * The best of one list, their scores scaled to 0 at the end of the list and 1 at its top. A list below its full depth ends at
 * score 0.
 */
export function scaleList<Hit extends Omit<Ordered, "score">>(
  hits: readonly Hit[],
  scoreOf: (hit: Hit) => number | undefined,
  { depth, rangeMin }: Scale,
): Map<Hit, number> {
  const listed = hits
    .flatMap((hit) => {
      const score = scoreOf(hit);
      if (score === undefined) return [];
      const { keyword, path, ordinal, rootIndex } = hit;
      return [{ score, keyword, path, ordinal, rootIndex, hit }];
    })
    .sort(inOrder)
    .slice(0, depth);
  const top = listed[0]?.score ?? 0;
  const end = listed.length < depth ? 0 : (listed.at(-1)?.score ?? 0);
  const range = Math.max(top - end, rangeMin);
  return new Map(listed.map(({ hit, score }) => [hit, range > 0 ? (score - end) / range : 1]));
}

export function inOrder(a: Ordered, b: Ordered): number {
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
