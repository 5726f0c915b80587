import type { Slices } from "../files/slices.ts";
import type { IndexStep } from "./retrieval.ts";
import type { NewDocument } from "./sidecar/document-store.ts";
import type { IndexProfile } from "./sidecar/meta-store.ts";
import type { Sidecar } from "./sidecar/sidecar.ts";
import { CHUNKER_VERSION } from "./text/chunk.ts";
import { TOKENIZER_VERSION } from "./text/words.ts";

/** The part of an index run that an embedder uses. */
export interface EmbeddingRun {
  sidecar: Sidecar;
  slices: Slices;
  signal: AbortSignal;
  report(step: IndexStep): void;
}

/** A model that was trained on one root, stored in its index. */
export interface LocalModel {
  embed(text: string): Int8Array;
}

/** Turns texts into vectors, while indexing and for queries. */
export interface Embedder {
  /** Search skips an index with another signature; an index run rebuilds it (Engine §2, retrieval rules 4). */
  readonly signature: string;
  /** The parts of a vector that are compared separately in a hybrid search: each gives a list of its own. */
  readonly parts: readonly VectorPart[];
  /** The bits of a dimension in the index. */
  readonly bits: 4 | 8;
  /** The weights of a hybrid score in an index; `terms` is the number of keyword terms of the query. */
  sharesOf(profile: IndexProfile | undefined, terms: number): Shares;
  /**
   * Called before documents are stored; returns them with the vectors that are known by then.
   * @throws RetrievalFailure `unavailable`: then none of these documents is stored.
   */
  embedDocuments(
    run: EmbeddingRun,
    documents: readonly NewDocument[],
  ): Promise<readonly NewDocument[]>;
  /** Called once all documents of a run are stored; stores the vectors that are still missing. */
  finish(run: EmbeddingRun): Promise<void>;
  /** Undefined if the index has no model of its own. */
  loadModel(sidecar: Sidecar): LocalModel | undefined;
  /**
   * Returns a function from the model of an index to the query's vector.
   * @throws RetrievalFailure `unavailable`.
   */
  embedQuery(query: string, signal: AbortSignal): Promise<QueryVector>;
}

/** Dimensions of a vector, from `from` up to but without `to`; without `to`, up to the end. */
export interface VectorPart {
  from: number;
  to?: number;
}

/** The weights of a hybrid score: each from 0 to 1, and those of the parts at most 1 together. */
export interface Shares {
  /** One weight for the list of each part; the keyword list has the rest. */
  parts: readonly number[];
  /** The weight of the likeness to the first hits, by the first part. */
  feedback: number;
}

/** The vector of a query for an index with this model. */
export type QueryVector = (model: LocalModel | undefined) => Int8Array | undefined;

/** The part of a signature for tokenizer and chunker. */
export function textSignature(): string {
  return `tok=${TOKENIZER_VERSION};chunk=${CHUNKER_VERSION}`;
}

/** The text of a chunk that is embedded: its content below its title and heading. */
export function embeddedText(chunk: { title: string; heading: string; content: string }): string {
  const names = [chunk.title, chunk.heading].filter(
    (name) => name !== "" && !chunk.content.includes(name),
  );
  return [...names, chunk.content].join("\n");
}

const INT8_MAX = 127;

/** Eight bits a dimension. Drops the length of the vector: only its direction matters. */
export function quantize(vector: readonly number[] | Float64Array): Int8Array {
  const result = new Int8Array(vector.length);
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  if (largest === 0 || !Number.isFinite(largest)) return result;
  let at = 0;
  for (const value of vector) {
    result[at] = Math.round((value / largest) * INT8_MAX);
    at += 1;
  }
  return result;
}
