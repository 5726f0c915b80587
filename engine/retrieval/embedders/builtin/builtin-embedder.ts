import { hash } from "node:crypto";
import { type Embedder, type EmbeddingRun, textSignature } from "../../embedder.ts";
import {
  BASIS_EXACT_CHUNKS_MAX,
  BASIS_SAMPLE_MAX,
  PROFILE_SAMPLE_MAX,
  VECTOR_BATCH_MAX,
} from "../../limits.ts";
import { findProfile, saveProfile } from "../../sidecar/meta-store.ts";
import type { Sidecar } from "../../sidecar/sidecar.ts";
import { countEmbeddable, insertVectors, listEmbeddableIds } from "../../sidecar/vector-store.ts";
import { kindOf } from "../../text/kind.ts";
import { STOPWORDS } from "../../text/stopwords.ts";
import { wordsOf } from "../../text/words.ts";
import {
  findBasis,
  findChunkText,
  findTraining,
  getLastChunkId,
  listSample,
  replaceBasis,
  type Training,
} from "./basis-store.ts";
import { HASH_DIMENSIONS, LSA_DIMENSIONS, trainBasis } from "./lsa/basis.ts";
import { LsaEmbedder } from "./lsa/embed.ts";
import { WordCache } from "./lsa/word-features.ts";
import { sharesOf } from "./shares.ts";

// A large basis is retrained after this share of its texts was added or removed.
const DRIFT_MAX = 0.25;

const ALGORITHM_VERSION = 2;

/** The embedder without a server: it trains on the texts of each root. Its signature does not cover the training. */
export function createBuiltinEmbedder(): Embedder {
  const dimensions = `k=${LSA_DIMENSIONS};h=${HASH_DIMENSIONS}`;
  return {
    signature: `lsa-hash/${ALGORITHM_VERSION};${dimensions};${textSignature()}`,
    parts: [
      { from: 0, to: LSA_DIMENSIONS },
      { from: LSA_DIMENSIONS, to: LSA_DIMENSIONS + HASH_DIMENSIONS },
    ],
    bits: 4,
    sharesOf,
    embedDocuments: async (_, documents) => documents,
    finish: embedStored,
    loadModel(sidecar) {
      const basis = findBasis(sidecar);
      return basis && new LsaEmbedder(basis);
    },
    embedQuery: async (query) => (model) => model?.embed(query),
  };
}

/**
 * Computes the vector of every chunk. Decides by the content of the index alone, so the next run continues a killed one. Up to
 * BASIS_EXACT_CHUNKS_MAX chunks the vectors depend on the texts alone, not on their history. Above it, a basis is kept until
 * a quarter of its texts changed, and new texts are folded in.
 */
async function embedStored(run: EmbeddingRun): Promise<void> {
  const { sidecar } = run;
  const chunks = countEmbeddable(sidecar);
  if (chunks === 0) return;
  const sample = listSample(sidecar, BASIS_SAMPLE_MAX);
  const digest = hash("sha256", Buffer.concat(sample.map(({ hash }) => hash)), "buffer");
  const training = findTraining(sidecar);
  if (!training || isOutdated(sidecar, training, { chunks, digest })) {
    await retrain(run, sample, { sample: digest, chunks, lastChunkId: getLastChunkId(sidecar) });
  } else await foldIn(run);
  await updateProfile(run, sample);
}

function isOutdated(
  sidecar: Sidecar,
  training: Training,
  now: { chunks: number; digest: Uint8Array },
): boolean {
  if (Buffer.compare(training.sample, now.digest) === 0) return false;
  if (now.chunks <= BASIS_EXACT_CHUNKS_MAX) return true;
  const stayed = countEmbeddable(sidecar, training.lastChunkId);
  const changed = now.chunks - stayed + Math.max(0, training.chunks - stayed);
  return changed > training.chunks * DRIFT_MAX;
}

async function retrain(
  run: EmbeddingRun,
  sample: readonly { id: number }[],
  training: Training,
): Promise<void> {
  const { sidecar, slices } = run;
  const ids = listEmbeddableIds(sidecar, "all");
  run.report({ phase: "embedding", done: 0, total: ids.length });
  const words = new WordCache();
  const basis = await slices.finish(trainBasis(textsOf(sidecar, sample), words));
  const vectors = new Map<number, Uint8Array>();
  const embedder = new LsaEmbedder(basis, words);
  for (const id of ids) {
    const chunk = findChunkText(sidecar, id);
    if (chunk) vectors.set(id, embedder.embedPacked(chunk.text));
    run.report({ phase: "embedding", done: vectors.size, total: ids.length });
    await slices.rest();
  }
  replaceBasis(sidecar, { ...basis, ...training }, vectors);
}

async function foldIn(run: EmbeddingRun): Promise<void> {
  const { sidecar, slices } = run;
  const ids = listEmbeddableIds(sidecar, "missing");
  const basis = ids.length > 0 ? findBasis(sidecar) : undefined;
  if (!basis) return;
  const embedder = new LsaEmbedder(basis);
  for (let at = 0; at < ids.length; at += VECTOR_BATCH_MAX) {
    const vectors = new Map<number, Uint8Array>();
    for (const id of ids.slice(at, at + VECTOR_BATCH_MAX)) {
      const chunk = findChunkText(sidecar, id);
      if (chunk) vectors.set(id, embedder.embedPacked(chunk.text));
      await slices.rest();
    }
    insertVectors(sidecar, vectors);
    run.report({ phase: "embedding", done: at + vectors.size, total: ids.length });
  }
}

function* textsOf(sidecar: Sidecar, sample: readonly { id: number }[]): Generator<string> {
  for (const { id } of sample) {
    const chunk = findChunkText(sidecar, id);
    if (chunk) yield chunk.text;
  }
}

// The profile of an index whose basis is kept is measured again after this change of its number of chunks.
const PROFILE_DRIFT_MAX = 0.1;

/** Measures an index after its chunks have their vectors, if it was not measured or has changed since. */
async function updateProfile(
  { sidecar, slices }: EmbeddingRun,
  trained: readonly { id: number }[],
): Promise<void> {
  const sample = Buffer.from(findTraining(sidecar)?.sample ?? []).toString("hex");
  const chunks = countEmbeddable(sidecar);
  const known = findProfile(sidecar);
  const drift = known ? Math.abs(known.chunks - chunks) / Math.max(1, known.chunks) : 1;
  if (known?.sample === sample && drift <= PROFILE_DRIFT_MAX) return;
  const step = Math.max(1, Math.ceil(trained.length / PROFILE_SAMPLE_MAX));
  let [measured, words, code] = [0, 0, 0];
  for (const { id } of trained.filter((_, at) => at % step === 0)) {
    const chunk = findChunkText(sidecar, id);
    if (!chunk) continue;
    measured += 1;
    words += countWords(chunk.text);
    if (kindOf(chunk.path) === "code") code += 1;
    await slices.rest();
  }
  if (measured === 0) return;
  saveProfile(sidecar, { chunks, words: words / measured, code: code / measured, sample });
}

function countWords(text: string): number {
  const different = new Set(wordsOf(text).map((word) => word.toLowerCase()));
  return [...different].filter((word) => word.length > 1 && !STOPWORDS.has(word)).length;
}
