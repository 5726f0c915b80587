const BASE = 31;

/**
 * Whether a piece of `text` of this length occurs in `other`. A shorter `other` counts as a whole if it has at least four
 * characters. Linear in both (Rabin–Karp).
 */
export function sharesText(text: string, other: string, lengthCharacters: number): boolean {
  if (other.length < lengthCharacters) return other.length >= 4 && text.includes(other);
  const pieces = new Set<number>();
  eachHash(text, lengthCharacters, (hash) => {
    pieces.add(hash);
    return false;
  });
  return eachHash(
    other,
    lengthCharacters,
    (hash, at) => pieces.has(hash) && text.includes(other.slice(at, at + lengthCharacters)),
  );
}

/** Calls `isFound` with the hash and offset of every piece; returns true as soon as a call does. */
function eachHash(
  text: string,
  lengthCharacters: number,
  isFound: (hash: number, at: number) => boolean,
): boolean {
  let weight = 1;
  for (let at = 1; at < lengthCharacters; at += 1) weight = Math.imul(weight, BASE);
  let hash = 0;
  for (let end = 0; end < text.length; end += 1) {
    const first = end - lengthCharacters;
    if (first >= 0) hash -= Math.imul(text.charCodeAt(first), weight);
    hash = (Math.imul(hash, BASE) + text.charCodeAt(end)) | 0;
    if (first >= -1 && isFound(hash, first + 1)) return true;
  }
  return false;
}
