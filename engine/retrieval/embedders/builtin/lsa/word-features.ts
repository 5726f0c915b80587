import { STOPWORDS } from "../../../text/stopwords.ts";
import { isCjk, normalized, pairsOf, partsOf, wordsOf } from "../../../text/words.ts";
import { addCode, beginHash, hashText, mix, termKey } from "./hashing.ts";
import { stem } from "./porter.ts";

/** The features of a word. */
export interface WordFeatures {
  /** Keys of its terms: the stem, and the stems of its parts. */
  terms: readonly number[];
  /** Hashes of the word and of its runs of three to five characters: its spelling, for words outside the basis. */
  word: number;
  grams: Uint32Array;
}

/** The count of each word in a text. */
export type WordCounts = Map<WordFeatures, number>;

const TERM_CHARACTERS_MAX = 40;
const GRAM_MIN = 3;
const GRAM_MAX = 5;
const EDGE = 1;
const GRAM_KIND = 7;
const CACHE_WORDS_MAX = 200_000;

/** Caches the features of words, since words repeat. */
export class WordCache {
  readonly #known = new Map<string, WordFeatures>();

  count(text: string): WordCounts {
    const counts: WordCounts = new Map();
    for (const word of wordsOf(text)) {
      const features = this.#known.get(word) ?? this.#add(word);
      counts.set(features, (counts.get(features) ?? 0) + 1);
    }
    return counts;
  }

  #add(word: string): WordFeatures {
    if (this.#known.size >= CACHE_WORDS_MAX) this.#known.clear();
    const features = featuresOf(word);
    this.#known.set(word, features);
    return features;
  }
}

function featuresOf(word: string): WordFeatures {
  const lower = normalized(word, "NFKC").toLowerCase();
  return {
    terms: [...new Set(termsOf(word, lower))].map(termKey),
    word: STOPWORDS.has(lower) ? 0 : hashText(lower),
    grams: STOPWORDS.has(lower) ? new Uint32Array() : gramsOf(lower),
  };
}

function termsOf(word: string, lower: string): string[] {
  if (isCjk(lower)) return pairsOf([...lower].slice(0, TERM_CHARACTERS_MAX));
  return [lower, ...partsOf(word)]
    .filter((part) => part.length <= TERM_CHARACTERS_MAX && !STOPWORDS.has(part))
    .map(stem);
}

function gramsOf(word: string): Uint32Array {
  const length = Math.min(word.length, TERM_CHARACTERS_MAX);
  // With a mark on both sides: the beginning and the end of a word are features, too.
  const codeAt = (at: number) => (at === 0 || at === length + 1 ? EDGE : word.charCodeAt(at - 1));
  const grams: number[] = [];
  for (let start = 0; start <= length + 2 - GRAM_MIN; start += 1) {
    let hash = beginHash(GRAM_KIND);
    for (let size = 1; size <= GRAM_MAX && start + size <= length + 2; size += 1) {
      hash = addCode(hash, codeAt(start + size - 1));
      if (size >= GRAM_MIN) grams.push(mix(hash));
    }
  }
  return Uint32Array.from(grams);
}
