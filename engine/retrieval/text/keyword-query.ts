import { KEYWORD_TERMS_MAX, QUOTED_PHRASES_MAX } from "../limits.ts";
import { STOPWORDS } from "./stopwords.ts";
import { isCjk, normalized, pairsOf, partsOf, toIndexText, wordsOf } from "./words.ts";

const PREFIX_LETTERS_MIN = 4;
const PREFIX_WORDS_MAX = 2;
const QUOTED = /["“”„]([^"“”„]+)["“”]/g;
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/gu;

/**
 * Turns user input into full text expressions, one for each term, to be joined with OR. Only letters, marks and digits
 * reach the query language. Empty if the input has no terms.
 */
export function keywordTerms(query: string): string[] {
  const normal = normalized(query, "NFKC");
  const words = wordsOf(normal);
  const meaningful = words.filter((word) => !STOPWORDS.has(word.toLowerCase()));
  const chosen = meaningful.length > 0 ? meaningful : words;
  const terms = new Set<string>();
  for (const phrase of quotedPhrases(query)) terms.add(`"${phrase}"`);
  for (const word of chosen) {
    if (isCjk(word)) for (const pair of pairsOf([...word])) terms.add(toPhrase(pair));
    else terms.add(toPhrase(word));
  }
  for (const word of chosen) for (const part of partsOf(word)) terms.add(toPhrase(part));
  const last = words.at(-1);
  if (words.length <= PREFIX_WORDS_MAX && last && mayBeUnfinished(last)) {
    terms.add(`${toPhrase(last)}*`);
  }
  return [...terms].filter((term) => term !== '""').slice(0, KEYWORD_TERMS_MAX);
}

/** The quoted phrases of a query: words in lower case, one space between them. Each phrase once. */
export function quotedPhrases(query: string): string[] {
  const quoted = [...normalized(query, "NFKC").matchAll(QUOTED)].map(([, text = ""]) =>
    spaced(text),
  );
  return [...new Set(quoted)].filter((phrase) => phrase !== "").slice(0, QUOTED_PHRASES_MAX);
}

/** How many of the phrases a text holds word by word: no other form of a word counts, upper and lower case do not matter. */
export function countHeld(text: string, phrases: readonly string[]): number {
  const words = ` ${spaced(text)} `;
  return phrases.filter((phrase) => words.includes(` ${phrase} `)).length;
}

function toPhrase(text: string): string {
  return `"${spaced(text)}"`;
}

// The words as full text search sees them.
function spaced(text: string): string {
  return toIndexText(text.toLowerCase()).replace(BETWEEN_WORDS, " ").trim();
}

function mayBeUnfinished(word: string): boolean {
  return [...word].length >= PREFIX_LETTERS_MIN && !isCjk(word);
}
