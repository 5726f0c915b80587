import type { Embedding } from "../../embedder.ts";
import { CHUNKER_VERSION } from "../../text/chunk.ts";
import { TOKENIZER_VERSION } from "../../text/words.ts";
import { HASH_DIMENSIONS, LSA_DIMENSIONS } from "./lsa/basis.ts";

const ALGORITHM_VERSION = 1;
const VECTOR_WEIGHT = 0.4;

/** What cuts texts to words and chunks. */
export function textSignature(): string {
  return `tok=${TOKENIZER_VERSION};chunk=${CHUNKER_VERSION}`;
}

/** The embedder that needs no model: it learns from the root itself. The basis is no part of its signature: each index has its own. */
export function builtinEmbedding(): Embedding {
  const dimensions = `k=${LSA_DIMENSIONS};h=${HASH_DIMENSIONS}`;
  const signature = `lsa-hash/${ALGORITHM_VERSION};${dimensions};${textSignature()}`;
  return { signature, remote: undefined, vectorWeight: VECTOR_WEIGHT };
}
