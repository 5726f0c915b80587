import { roundToInt4 } from "../../../sidecar/quantize-int4.ts";
import type { Matrix } from "./dense.ts";
import { type Sparse, termVectorsOf } from "./subspace.ts";
import { WordCache, type WordCounts } from "./word-features.ts";

/** The result of training. It contains hashes of terms, never words. */
export interface Basis {
  /** Dimensions of the term vectors; 0 if the texts were too few for training. */
  k: number;
  /** Keys of the terms, in the order of their vectors. */
  terms: Float64Array;
  idf: Float32Array;
  /** One row of `k` for each term, in whole numbers of four bits, and the factor of each row. */
  vectors: Int8Array;
  scales: Float32Array;
  /** The rarity of the features of a bucket. */
  bucketIdf: Float32Array;
}

/** Dimensions of the two halves of a vector. */
export const LSA_DIMENSIONS = 256;
export const HASH_DIMENSIONS = 256;

const BUCKETS = 65_536;
const TERMS_MAX = 30_000;
const DOCUMENTS_MIN = 60;
const DOCUMENTS_PER_DIRECTION = 3;
// A term in more than this share of the texts does not distinguish them.
const DOCUMENT_SHARE_MAX = 0.5;
const TEXTS_BETWEEN_PAUSES = 32;

/** Trains on texts. The same texts in the same order give the same bytes. Yields where it can pause. */
export function* trainBasis(
  texts: Iterable<string>,
  words = new WordCache(),
): Generator<void, Basis> {
  const documents: Map<number, number>[] = [];
  const frequencies = new Map<number, number>();
  const buckets = new Uint32Array(BUCKETS);
  for (const text of texts) {
    const counts = words.count(text);
    const terms = termCounts(counts);
    for (const term of terms.keys()) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    for (const bucket of bucketsOf(counts)) buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    documents.push(terms);
    if (documents.length % TEXTS_BETWEEN_PAUSES === 0) yield;
  }
  const bucketIdf = Float32Array.from(buckets, (count) => idfOf(count, documents.length));
  if (documents.length < DOCUMENTS_MIN) return { ...EMPTY, bucketIdf };
  const terms = chooseTerms(frequencies, documents.length);
  const idf = Float32Array.from(terms, (term) =>
    idfOf(frequencies.get(term) ?? 0, documents.length),
  );
  const sparse = toSparse(documents, terms, idf);
  const k = Math.min(LSA_DIMENSIONS, Math.floor(documents.length / DOCUMENTS_PER_DIRECTION));
  const vectors = yield* termVectorsOf(sparse, k);
  return { k, terms: Float64Array.from(terms), idf, ...quantizeRows(vectors), bucketIdf };
}

const EMPTY = {
  k: 0,
  terms: new Float64Array(),
  idf: new Float32Array(),
  vectors: new Int8Array(),
  scales: new Float32Array(),
};

/** The count of each term in a text, summed over all its words. */
export function termCounts(words: WordCounts): Map<number, number> {
  const terms = new Map<number, number>();
  for (const [features, count] of words) {
    for (const term of features.terms) terms.set(term, (terms.get(term) ?? 0) + count);
  }
  return terms;
}

/** The rarity: 0 for a term in every text. */
function idfOf(frequency: number, documents: number): number {
  return Math.log((documents + 1) / (frequency + 0.5));
}

/** The weight of a count. */
export function tfOf(count: number): number {
  return 1 + Math.log(count);
}

export function bucketOf(hash: number): number {
  return hash >>> 16;
}

function bucketsOf(counts: WordCounts): Set<number> {
  const buckets = new Set<number>();
  for (const { word, grams } of counts.keys()) {
    if (word === 0) continue;
    buckets.add(bucketOf(word));
    for (const gram of grams) buckets.add(bucketOf(gram));
  }
  return buckets;
}

function chooseTerms(frequencies: Map<number, number>, documents: number): number[] {
  return [...frequencies]
    .filter(([, count]) => count >= 2 && count <= documents * DOCUMENT_SHARE_MAX)
    .sort(([a, countA], [b, countB]) => countB - countA || a - b)
    .slice(0, TERMS_MAX)
    .map(([term]) => term);
}

function toSparse(
  documents: readonly Map<number, number>[],
  terms: readonly number[],
  idf: Float32Array,
): Sparse {
  const columnOf = new Map(terms.map((term, column) => [term, column]));
  const weigh = (counts: Map<number, number>) => {
    const known = [...counts].flatMap(([term, count]) => {
      const column = columnOf.get(term);
      return column === undefined ? [] : { column, weight: tfOf(count) * (idf[column] ?? 0) };
    });
    const norm = known.reduce((sum, { weight }) => sum + weight * weight, 0);
    const scale = norm === 0 ? 0 : 1 / Math.sqrt(norm);
    return {
      columns: Uint32Array.from(known, ({ column }) => column),
      weights: Float32Array.from(known, ({ weight }) => weight * scale),
    };
  };
  return { terms: terms.length, documents: documents.map(weigh) };
}

function quantizeRows({ rows, columns, data }: Matrix): Pick<Basis, "vectors" | "scales"> {
  const vectors = new Int8Array(rows * columns);
  const scales = new Float32Array(rows);
  for (let row = 0; row < rows; row += 1) {
    const { values, scale } = roundToInt4(data.subarray(row * columns, (row + 1) * columns));
    vectors.set(values, row * columns);
    scales[row] = scale;
  }
  return { vectors, scales };
}
