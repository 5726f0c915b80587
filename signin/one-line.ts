// Line separators are no control characters to Unicode. Marks of direction can make one name look like another.
const BREAKING = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/** Whether a text is well-formed and one line, which reads as its characters stand. */
export function isOneLine(text: string): boolean {
  return text.isWellFormed() && text.search(BREAKING) < 0;
}

/** A foreign text as one line: a blank stands for what `isOneLine` refuses and for white space. */
export function toOneLine(text: string): string {
  return text.replaceAll(BREAKING, " ").replace(/\s+/g, " ").trim();
}
