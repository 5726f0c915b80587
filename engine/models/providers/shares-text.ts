const BASE = 31;

/**
 * Whether a piece of `text` of this length stands in `other`. An `other` that is shorter than that counts whole, from
 * four characters on. Linear in both (Rabin and Karp's search).
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

/** Calls `isFound` with the hash of every piece and where it begins; true as soon as that is true. */
function eachHash(
  text: string,
  lengthCharacters: number,
  isFound: (hash: number, at: number) => boolean,
): boolean {
  let weight = 1;
  for (let at = 1; at < lengthCharacters; at++) weight = Math.imul(weight, BASE);
  let hash = 0;
  for (let end = 0; end < text.length; end++) {
    const first = end - lengthCharacters;
    if (first >= 0) hash -= Math.imul(text.charCodeAt(first), weight);
    hash = (Math.imul(hash, BASE) + text.charCodeAt(end)) | 0;
    if (first >= -1 && isFound(hash, first + 1)) return true;
  }
  return false;
}
