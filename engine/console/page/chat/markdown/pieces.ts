/** A text in pieces of at most so many characters, cut behind a line break, else behind a space, never inside a character. */
export function piecesOf(text: string, charactersMax: number): string[] {
  const pieces = [];
  for (let at = 0; at < text.length; ) {
    const end = pieceEnd(text, at, charactersMax);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

function pieceEnd(text: string, at: number, charactersMax: number): number {
  const end = at + charactersMax;
  if (end >= text.length) return text.length;
  // Only the second half: pieces must not become small.
  const half = end - Math.floor(charactersMax / 2);
  const searched = text.slice(half, end);
  for (const mark of ["\n", " "]) {
    const found = searched.lastIndexOf(mark);
    if (found !== -1) return half + found + 1;
  }
  return isLowSurrogate(text.charCodeAt(end)) ? end - 1 : end;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
