import { isCjk } from "../retrieval/text/words.ts";
import { MESSAGE_SNIPPET_CHARACTERS_MAX } from "./limits.ts";
import { fold } from "./terms.ts";

// Okapi BM25.
const K = 1.2;
const B = 0.75;
const SNIPPET_BEFORE = 100;

/** How a message holds the words of a query. */
export interface Held {
  /** How often each word is in it. */
  counts: number[];
  words: number;
  /** Around the first of them. */
  snippet: string;
}

/** Counts the folded words of a query in a text, the next one behind those that were counted. */
export function countWords(text: string, wanted: readonly string[], before?: Held): Held {
  const counts = wanted.map((_, at) => before?.counts[at] ?? 0);
  const known = new Map<string, string>();
  let words = before?.words ?? 0;
  let first: number | undefined;
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    words += 1;
    const folded = known.get(word) ?? fold(word);
    known.set(word, folded);
    const isRun = isCjk(word);
    wanted.forEach((term, at) => {
      const place = isRun ? folded.indexOf(term) : folded === term ? 0 : -1;
      if (place < 0) return;
      counts[at] = (counts[at] ?? 0) + 1;
      first ??= index + place;
    });
  }
  return { counts, words, snippet: before?.snippet ?? toSnippet(text, first ?? 0) };
}

/** A piece of a text around a position, cut at white space before it if there is some. */
function toSnippet(text: string, place: number): string {
  const earliest = Math.max(0, place - SNIPPET_BEFORE);
  const space = earliest === 0 ? -1 : text.slice(earliest, place).search(/\s/);
  const start = space < 0 ? earliest : earliest + space + 1;
  const piece = text.slice(start, start + MESSAGE_SNIPPET_CHARACTERS_MAX);
  // No half characters at the ends; those of a piece were decoded to U+FFFD.
  return piece.replace(/^[\uDC00-\uDFFF\uFFFD]+/, "").replace(/[\uD800-\uDBFF\uFFFD]$/, "");
}

/** Scores by relevance among these texts and the number of all messages; a higher one is better. */
export function scoresOf(texts: readonly Held[], messages: number): number[] {
  const average = texts.reduce((sum, { words }) => sum + words, 0) / texts.length || 1;
  const rarity = (texts[0]?.counts ?? []).map((_, at) => {
    const holding = texts.filter(({ counts }) => (counts[at] ?? 0) > 0).length;
    return Math.log(1 + (Math.max(messages - holding, 0) + 0.5) / (holding + 0.5));
  });
  return texts.map(({ counts, words }) =>
    counts.reduce((sum, count, at) => {
      const length = K * (1 - B + (B * words) / average);
      return sum + ((rarity[at] ?? 0) * count * (K + 1)) / (count + length);
    }, 0),
  );
}
