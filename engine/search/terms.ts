import { normalized, toIndexText, wordsOf } from "../retrieval/text/words.ts";
import {
  MESSAGE_QUERY_CHARACTERS_MAX,
  MESSAGE_QUERY_TERMS_MAX,
  MESSAGE_QUERY_WORDS_MAX,
} from "./limits.ts";

/** A word as it is compared: without case, marks and forms of compatibility. */
export function fold(word: string): string {
  const lower = normalized(word, "NFKC").toLowerCase();
  return normalized(lower, "NFD").replace(/\p{M}+/gu, "");
}

/** The words of a query, each once, as they are written in it. */
export function queryWords(query: string): string[] {
  const cut = normalized(query.slice(0, MESSAGE_QUERY_CHARACTERS_MAX).toWellFormed(), "NFKC");
  const words: string[] = [];
  let free = MESSAGE_QUERY_TERMS_MAX;
  for (const word of new Set(wordsOf(cut))) {
    if (words.length === MESSAGE_QUERY_WORDS_MAX || free === 0) break;
    const terms = termsOf(word).slice(0, free);
    words.push(terms.join(""));
    free -= terms.length;
  }
  return words;
}

/** What the index has of a word: the word, or each character of a script without spaces. */
function termsOf(word: string): string[] {
  return toIndexText(word).trim().split(/ +/);
}

/**
 * A word as an expression of full text search. Only letters, marks and digits reach its language. A run of a script without
 * spaces is a phrase of its characters, so it is found within a longer run.
 */
export function toExpression(word: string): string {
  return `"${termsOf(word).join(" ")}"`;
}
