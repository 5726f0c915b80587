const DECIMALS = 1e9;

/** The vectors of one root in memory, for exact search. */
export class VectorIndex {
  readonly #ids: Float64Array;
  readonly #vectors: Int8Array;
  readonly #dimensions: number;
  readonly #scales: Float64Array;

  constructor({ ids, vectors }: { ids: Float64Array; vectors: Int8Array }) {
    this.#ids = ids;
    this.#vectors = vectors;
    this.#dimensions = ids.length === 0 ? 0 : vectors.length / ids.length;
    this.#scales = Float64Array.from(ids, (_, at) =>
      inverseLength(vectors, at * this.#dimensions, this.#dimensions),
    );
  }

  get sizeBytes(): number {
    return this.#vectors.byteLength + this.#ids.byteLength + this.#scales.byteLength;
  }

  /** The nearest chunks with a cosine above zero, with all ties of the last one. */
  nearest(query: Int8Array, depth: number): Map<number, number> {
    if (query.length !== this.#dimensions) return new Map();
    const scale = inverseLength(query, 0, query.length);
    const scores = new Float64Array(this.#ids.length);
    for (let at = 0; at < scores.length; at += 1) {
      const product = this.#product(query, at * this.#dimensions);
      // Equal texts have equal vectors; rounding keeps them equal in every order of multiplication.
      scores[at] = Math.round(product * (this.#scales[at] ?? 0) * scale * DECIMALS) / DECIMALS;
    }
    const sorted = scores.slice().sort();
    const last = Math.max(sorted[sorted.length - depth] ?? 0, Number.MIN_VALUE);
    const hits: [number, number][] = [];
    scores.forEach((score, at) => {
      if (score >= last) hits.push([this.#ids[at] ?? 0, score]);
    });
    return new Map(hits);
  }

  // Integers throughout: a sum of so few products of eight bits fits.
  #product(query: Int8Array, offset: number): number {
    const vectors = this.#vectors;
    const length = query.length;
    let [a, b, c, d] = [0, 0, 0, 0];
    let i = 0;
    for (; i + 3 < length; i += 4) {
      a = (a + (query[i] ?? 0) * (vectors[offset + i] ?? 0)) | 0;
      b = (b + (query[i + 1] ?? 0) * (vectors[offset + i + 1] ?? 0)) | 0;
      c = (c + (query[i + 2] ?? 0) * (vectors[offset + i + 2] ?? 0)) | 0;
      d = (d + (query[i + 3] ?? 0) * (vectors[offset + i + 3] ?? 0)) | 0;
    }
    for (; i < length; i += 1) a += (query[i] ?? 0) * (vectors[offset + i] ?? 0);
    return a + b + c + d;
  }
}

function inverseLength(vectors: Int8Array, offset: number, length: number): number {
  let sum = 0;
  for (let i = 0; i < length; i += 1) sum += (vectors[offset + i] ?? 0) ** 2;
  return sum === 0 ? 0 : 1 / Math.sqrt(sum);
}
