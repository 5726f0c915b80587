import { type LocalModel, quantize } from "../../../embedder.ts";
import {
  type Basis,
  bucketOf,
  HASH_DIMENSIONS,
  LSA_DIMENSIONS,
  termCounts,
  tfOf,
} from "./basis.ts";
import { WordCache, type WordCounts } from "./word-features.ts";

const DIMENSIONS = LSA_DIMENSIONS + HASH_DIMENSIONS;

/** Embeds texts with a basis: its term vectors beside a signed hash of words and spelling. */
export class LsaEmbedder implements LocalModel {
  readonly #basis: Basis;
  readonly #columns: Map<number, number>;
  readonly #words: WordCache;

  /** The cache of the training can be passed on. */
  constructor(basis: Basis, words = new WordCache()) {
    this.#basis = basis;
    this.#words = words;
    this.#columns = new Map(Array.from(basis.terms, (term, column) => [term, column]));
  }

  /** All zeros for a text without words. */
  embed(text: string): Int8Array {
    const counts = this.#words.count(text);
    const vector = new Float64Array(DIMENSIONS);
    this.#addTerms(vector.subarray(0, this.#basis.k), counts);
    this.#addHashes(vector.subarray(LSA_DIMENSIONS), counts);
    normalize(vector.subarray(0, LSA_DIMENSIONS));
    normalize(vector.subarray(LSA_DIMENSIONS));
    return quantize(vector);
  }

  #addTerms(vector: Float64Array, counts: WordCounts): void {
    const { k, idf, vectors, scales } = this.#basis;
    if (k === 0) return;
    for (const [term, count] of termCounts(counts)) {
      const column = this.#columns.get(term);
      if (column === undefined) continue;
      const weight = tfOf(count) * (idf[column] ?? 0) * (scales[column] ?? 0);
      const from = column * k;
      for (let i = 0; i < k; i += 1) {
        vector[i] = (vector[i] ?? 0) + weight * (vectors[from + i] ?? 0);
      }
    }
  }

  #addHashes(vector: Float64Array, counts: WordCounts): void {
    for (const [{ word, grams }, count] of counts) {
      if (word === 0) continue;
      const weight = tfOf(count);
      this.#addHash(vector, word, weight);
      for (const gram of grams) this.#addHash(vector, gram, weight);
    }
  }

  // The upper half of a hash is its bucket; the lower half chooses dimension and sign.
  #addHash(vector: Float64Array, hash: number, weight: number): void {
    const value = weight * (this.#basis.bucketIdf[bucketOf(hash)] ?? 0);
    const at = hash & (HASH_DIMENSIONS - 1);
    vector[at] = (vector[at] ?? 0) + (hash & 0x8000 ? value : -value);
  }
}

function normalize(vector: Float64Array): void {
  let norm = 0;
  for (const value of vector) norm += value * value;
  if (norm === 0) return;
  const scale = 1 / Math.sqrt(norm);
  for (let i = 0; i < vector.length; i += 1) vector[i] = (vector[i] ?? 0) * scale;
}
