/** Version of all rules for the terms of a text; part of the signature of an index. */
export const TOKENIZER_VERSION = 3;

// Patterns of Unicode properties are created where they are used: as constants they cost every start 1 to 2 ms each.
const NOT_ASCII = /[^\x00-\x7f]/;

/**
 * The one place where text of strangers is normalized. Normalization takes time by the square of a run of combining marks, so a
 * run is cut after 32 of them. The two halfwidth Japanese marks are letters that become marks.
 */
export function normalized(text: string, form: "NFKC" | "NFD"): string {
  if (!NOT_ASCII.test(text)) return text;
  const marks = /(?<![\p{M}\uFF9E\uFF9F])([\p{M}\uFF9E\uFF9F]{32})[\p{M}\uFF9E\uFF9F]+/gu;
  return text.replace(marks, "$1").normalize(form);
}

/** Runs of letters, marks and digits; any other character separates, `_` and `-` too. */
export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** The parts of an identifier in lower case (`parseHTTPBody2` → parse, http, body, 2); none if it has only one. */
export function partsOf(word: string): string[] {
  // Where a word of mixed case or of letters and digits is split: userName, HTTPServer, utf8.
  if (!/\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|\p{L}\p{N}|\p{N}\p{L}/u.test(word)) return [];
  const part = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lt}\p{Lm}\p{M}]+|\p{Lu}|\p{N}+/gu;
  const parts = word.match(part) ?? [];
  return parts.length > 1 ? parts.map((part) => part.toLowerCase()) : [];
}

/** The parts of all identifiers of a text, which the index stores beside the whole words. */
export function identifierParts(text: string): string {
  const parts: string[] = [];
  for (const word of wordsOf(text)) parts.push(...partsOf(word));
  return parts.join(" ");
}

/**
 * Prepares text for full text search. SQLite has no word boundaries for Chinese, Japanese and Korean, so every such
 * character becomes a word. Its symbol tables are older than many emoji, so these become spaces.
 */
export function toIndexText(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  const words = normalized(text, "NFKC").replace(/[^\p{L}\p{M}\p{N}]+/gu, " ");
  return words.replace(cjkCharacter(), " $& ");
}

/** Whether a word has a character of a script without spaces. */
export function isCjk(word: string): boolean {
  return word.search(cjkCharacter()) >= 0;
}

/** The pairs of neighbours in a run of such a script: a whole run is rarely repeated, and a single character is too common. */
export function pairsOf(characters: readonly string[]): string[] {
  if (characters.length < 2) return [...characters];
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

/** Estimates the tokens: one for four bytes, and one for each Chinese, Japanese or Korean character. */
export function estimateTokens(text: string): number {
  if (!NOT_ASCII.test(text)) return Math.max(1, Math.ceil(text.length / 4));
  const wide = text.match(cjkCharacter())?.join("") ?? "";
  const narrowBytes = Buffer.byteLength(text) - Buffer.byteLength(wide);
  return Math.max(1, Math.ceil(narrowBytes / 4) + [...wide].length);
}

/** A boundary of words: no letter, mark or digit, or a character of a script without spaces. */
export function wordBorder(): RegExp {
  return /[^\p{L}\p{M}\p{N}]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
}

function cjkCharacter(): RegExp {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
}
