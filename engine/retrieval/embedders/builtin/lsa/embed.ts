import { type LocalModel, quantize } from "../../../embedder.ts";
import { packInt4, roundToInt4 } from "../../../sidecar/quantize-int4.ts";
import {
  type Basis,
  bucketOf,
  HASH_DIMENSIONS,
  LSA_DIMENSIONS,
  termCounts,
  tfOf,
} from "./basis.ts";
import { WordCache, type WordCounts } from "./word-features.ts";

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
    return this.#embed(text, quantize);
  }

  /** The same in four bits a dimension, as an index stores it: the query's own eight are enough to compare well. */
  embedPacked(text: string): Uint8Array {
    return packInt4(this.#embed(text, (half) => roundToInt4(half).values));
  }

  // Each half has its own scale: a short text has few high values in one, and many low ones in the other.
  #embed(text: string, round: (half: Float64Array) => Int8Array): Int8Array {
    const counts = this.#words.count(text);
    const meaning = new Float64Array(LSA_DIMENSIONS);
    const spelling = new Float64Array(HASH_DIMENSIONS);
    this.#addTerms(meaning, counts);
    this.#addHashes(spelling, counts);
    const vector = new Int8Array(LSA_DIMENSIONS + HASH_DIMENSIONS);
    vector.set(round(meaning));
    vector.set(round(spelling), LSA_DIMENSIONS);
    return vector;
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
