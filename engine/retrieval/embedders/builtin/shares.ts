import type { Shares } from "../../embedder.ts";
import type { IndexProfile } from "../../sidecar/meta-store.ts";

// An index that no run has measured yet.
const USUAL: Pick<IndexProfile, "chunks" | "words" | "code"> = {
  chunks: 5_000,
  words: 30,
  code: 0,
};

// Half of the effect of the length of chunks is reached at WORDS_MIN + WORDS_HALF words, that of a query at TERMS_HALF terms.
const WORDS_MIN = 6;
const WORDS_HALF = 18;
const TERMS_HALF = 12;
// A basis has a fixed number of directions, so it distinguishes fewer chunks better.
const CHUNKS_USUAL = 5_000;
const CHUNKS_EXPONENT = 0.25;
const CHUNKS_FACTOR_MAX = 1.5;

const MEANING = 0.65;
const MEANING_MAX = 0.45;
const SPELLING = 0.25;
const SPELLING_LOSS = 0.85;
const SPELLING_IN_CODE = 0.05;
const FEEDBACK = 1.5;
const FEEDBACK_MAX = 0.2;

/**
 * The weights of the two halves of a vector (decision E-RAG-43). What words mean is learned from the words beside them: chunks
 * and queries of few words teach and say little, so there the keyword list decides alone. Spelling helps a little everywhere,
 * and more in code.
 */
export function sharesOf(profile: IndexProfile | undefined, terms: number): Shares {
  const { chunks, words, code } = profile ?? USUAL;
  const above = Math.max(0, words - WORDS_MIN);
  const length = above / (above + WORDS_HALF);
  const query = terms / (terms + TERMS_HALF);
  const size = (CHUNKS_USUAL / Math.max(1, chunks)) ** CHUNKS_EXPONENT;
  const wanted = MEANING * length * query * Math.min(CHUNKS_FACTOR_MAX, size);
  const meaning = Math.min(MEANING_MAX, wanted);
  const spelling =
    Math.max(0, SPELLING - SPELLING_LOSS * meaning) + SPELLING_IN_CODE * code * length;
  return { parts: [meaning, spelling], feedback: Math.min(FEEDBACK_MAX, FEEDBACK * meaning) };
}
