import { MESSAGE_QUERY_CHARACTERS_MAX, MESSAGE_QUERY_TERMS_MAX } from "../limits.ts";
import { toIndexText, wordsOf } from "../retrieval/text/words.ts";

const MARKS = /\p{M}+/gu;

/** A word as it is compared: without case, marks and forms of compatibility. */
export function fold(word: string): string {
  return word.normalize("NFKC").toLowerCase().normalize("NFD").replace(MARKS, "");
}

/** The words of a query, each once, as they are written in it. */
export function queryWords(query: string): string[] {
  const cut = query.slice(0, MESSAGE_QUERY_CHARACTERS_MAX).toWellFormed().normalize("NFKC");
  return [...new Set(wordsOf(cut))].slice(0, MESSAGE_QUERY_TERMS_MAX);
}

/**
 * A word as an expression of full text search. Only letters, marks and digits reach its language. A run of a script without
 * spaces is a phrase of its characters, so it is found within a longer run.
 */
export function toExpression(word: string): string {
  return `"${toIndexText(word).trim()}"`;
}
