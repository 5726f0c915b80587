import { KEYWORD_TERMS_MAX } from "../../limits.ts";
import { STOPWORDS } from "./stopwords.ts";
import { isCjk, partsOf, toIndexText, wordsOf } from "./words.ts";

const PREFIX_LETTERS_MIN = 4;
const PREFIX_WORDS_MAX = 2;
const QUOTED = /"([^"]+)"/g;

/**
 * What people type as full text expressions, one for each term, to be joined with OR: nothing but letters, marks and
 * digits ever reaches the query language. Empty where there is nothing to look for.
 */
export function keywordTerms(query: string): string[] {
  const normal = query.normalize("NFKC");
  const words = wordsOf(normal);
  const meaningful = words.filter((word) => !STOPWORDS.has(word.toLowerCase()));
  const chosen = meaningful.length > 0 ? meaningful : words;
  const terms = new Set<string>();
  for (const [, phrase = ""] of normal.matchAll(QUOTED)) {
    if (wordsOf(phrase).length > 1) terms.add(toPhrase(phrase));
  }
  for (const word of chosen) {
    if (isCjk(word)) for (const phrase of cjkPhrases(word)) terms.add(phrase);
    else terms.add(toPhrase(word));
  }
  for (const word of chosen) for (const part of partsOf(word)) terms.add(toPhrase(part));
  const last = words.at(-1);
  if (words.length <= PREFIX_WORDS_MAX && last && mayBeUnfinished(last)) {
    terms.add(`${toPhrase(last)}*`);
  }
  return [...terms].filter((term) => term !== '""').slice(0, KEYWORD_TERMS_MAX);
}

function toPhrase(text: string): string {
  return `"${toIndexText(text.toLowerCase())
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim()}"`;
}

// Pairs of neighbours: a run is rarely repeated whole, and single characters say little.
function cjkPhrases(word: string): string[] {
  const characters = [...word];
  if (characters.length <= 2) return [toPhrase(word)];
  return characters.slice(1).map((character, at) => toPhrase(`${characters[at]}${character}`));
}

function mayBeUnfinished(word: string): boolean {
  return [...word].length >= PREFIX_LETTERS_MIN && !isCjk(word);
}
