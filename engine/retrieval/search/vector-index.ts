import type { VectorPart } from "../embedder.ts";

const DECIMALS = 1e9;

/** How near the chunks of an index are to one vector. The parts of a vector weigh the same, whatever their lengths. */
export interface Nearness {
  /** The nearest chunks with a cosine above zero, with all ties of the last one. */
  nearest(depth: number): Map<number, number>;
  /** The cosines of one chunk; undefined if it has no vector. */
  of(chunkId: number): { whole: number; parts: number[] } | undefined;
}

/** The vectors of one root in memory, for exact search. */
export class VectorIndex {
  /** The numbers of each vector; 0 if there is none. */
  readonly dimensions: number;
  readonly #ids: Float64Array;
  readonly #vectors: Int8Array;
  readonly #parts: { from: number; to: number }[];
  /** The inverse lengths of each part. */
  readonly #scales: Float64Array[];
  /** How many parts of each vector are not zero. */
  readonly #filled: Uint8Array;

  /** The ids are in ascending order; the parts together are the whole vector. */
  constructor(
    { ids, vectors }: { ids: Float64Array; vectors: Int8Array },
    parts: readonly VectorPart[],
  ) {
    this.#ids = ids;
    this.#vectors = vectors;
    const dimensions = ids.length === 0 ? 0 : vectors.length / ids.length;
    this.dimensions = dimensions;
    this.#parts = parts.map(({ from, to = dimensions }) => ({ from, to }));
    this.#scales = this.#parts.map(({ from, to }) =>
      Float64Array.from(ids, (_, at) =>
        inverseLength(vectors, at * dimensions + from, at * dimensions + to),
      ),
    );
    this.#filled = Uint8Array.from(
      ids,
      (_, at) => this.#scales.filter((scales) => (scales[at] ?? 0) > 0).length,
    );
  }

  get sizeBytes(): number {
    const scales = this.#scales.reduce((sum, { byteLength }) => sum + byteLength, 0);
    return this.#vectors.byteLength + this.#ids.byteLength + this.#filled.byteLength + scales;
  }

  /** Undefined if the vector has other dimensions. */
  compare(query: Int8Array): Nearness | undefined {
    if (query.length !== this.dimensions) return undefined;
    const queryScales = this.#parts.map(({ from, to }) => inverseLength(query, from, to));
    const queryParts = queryScales.filter((scale) => scale > 0).length;
    const cosines = this.#parts.map((part, which) =>
      this.#cosines(query, part, { own: this.#scales[which], scale: queryScales[which] ?? 0 }),
    );
    const whole = Float64Array.from(this.#ids, (_, at) => {
      const parts = Math.sqrt((this.#filled[at] ?? 0) * queryParts);
      let sum = 0;
      for (const cosine of cosines) sum += cosine[at] ?? 0;
      return parts === 0 ? 0 : rounded(sum / parts);
    });
    return {
      nearest: (depth) => nearestOf(this.#ids, whole, depth),
      of: (chunkId) => {
        const at = this.#positionOf(chunkId);
        if (at === undefined) return undefined;
        const parts = cosines.map((cosine) => rounded(cosine[at] ?? 0));
        return { whole: whole[at] ?? 0, parts };
      },
    };
  }

  /** How alike chunks are to the weighted mean of some others, by the first part. Chunks without a vector are left out. */
  likeness(to: ReadonlyMap<number, number>, among: readonly number[]): Map<number, number> {
    const [{ from, to: end } = { from: 0, to: 0 }] = this.#parts;
    const [scales] = this.#scales;
    const mean = new Float64Array(end - from);
    const product = (at: number, i: number) => this.#vectors[at * this.dimensions + from + i] ?? 0;
    for (const [chunkId, weight] of to) {
      const at = this.#positionOf(chunkId);
      if (at === undefined) continue;
      const scale = weight * (scales?.[at] ?? 0);
      for (let i = 0; i < mean.length; i += 1) {
        mean[i] = (mean[i] ?? 0) + scale * product(at, i);
      }
    }
    const alike: [number, number][] = [];
    for (const chunkId of among) {
      const at = this.#positionOf(chunkId);
      if (at === undefined) continue;
      let sum = 0;
      for (let i = 0; i < mean.length; i += 1) sum += (mean[i] ?? 0) * product(at, i);
      alike.push([chunkId, rounded(sum * (scales?.[at] ?? 0))]);
    }
    return new Map(alike);
  }

  #cosines(
    query: Int8Array,
    { from, to }: { from: number; to: number },
    { own, scale }: { own: Float64Array | undefined; scale: number },
  ): Float64Array {
    const vectors = this.#vectors;
    const cosines = new Float64Array(this.#ids.length);
    for (let at = 0; at < cosines.length; at += 1) {
      const offset = at * this.dimensions;
      let product = 0;
      for (let i = from; i < to; i += 1) product += (query[i] ?? 0) * (vectors[offset + i] ?? 0);
      cosines[at] = product * (own?.[at] ?? 0) * scale;
    }
    return cosines;
  }

  // By bisection.
  #positionOf(chunkId: number): number | undefined {
    const ids = this.#ids;
    let [low, high] = [0, ids.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ids[middle] ?? 0) < chunkId) low = middle + 1;
      else high = middle;
    }
    return ids[low] === chunkId ? low : undefined;
  }
}

function nearestOf(ids: Float64Array, scores: Float64Array, depth: number): Map<number, number> {
  const sorted = scores.slice().sort();
  const last = Math.max(sorted[sorted.length - depth] ?? 0, Number.MIN_VALUE);
  const hits: [number, number][] = [];
  scores.forEach((score, at) => {
    if (score >= last) hits.push([ids[at] ?? 0, score]);
  });
  return new Map(hits);
}

// Equal texts have equal vectors; rounding keeps them equal in every order of multiplication.
function rounded(value: number): number {
  return Math.round(value * DECIMALS) / DECIMALS;
}

function inverseLength(vectors: Int8Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i += 1) sum += (vectors[i] ?? 0) ** 2;
  return sum === 0 ? 0 : 1 / Math.sqrt(sum);
}
