/** A text in pieces of at most so many characters, cut behind a line break, else behind a space, never inside a character. */
export function piecesOf(text: string, charactersMax: number): string[] {
  const pieces = [];
  for (let at = 0; at < text.length; ) {
    const end = at + charactersMax;
    const piece = end < text.length ? cut(text.slice(at, end)) : text.slice(at);
    pieces.push(piece);
    at += piece.length;
  }
  return pieces;
}

function cut(text: string): string {
  // Only the second half: pieces must not become small.
  const half = text.length / 2;
  const end = ["\n", " "].map((mark) => text.lastIndexOf(mark)).find((at) => at >= half);
  return end === undefined ? text.replace(/[\ud800-\udbff]$/, "") : text.slice(0, end + 1);
}
