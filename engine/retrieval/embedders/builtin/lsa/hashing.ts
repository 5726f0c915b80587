const FNV_PRIME = 0x01000193;
const FNV_BASIS = 0x811c9dc5;
const SECOND_BASIS = 0x9747b28c;
const HIGH_BITS = 21;

/** Mixes the bits of a hash. */
export function mix(hash: number): number {
  let bits = hash;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** Adds a character to a hash. */
export function addCode(hash: number, code: number): number {
  return Math.imul(hash ^ code, FNV_PRIME);
}

/** The initial hashes, one for each kind of feature. */
export function beginHash(kind = 0): number {
  return Math.imul(FNV_BASIS ^ kind, FNV_PRIME);
}

export function hashText(text: string, begin = beginHash()): number {
  let hash = begin;
  for (let at = 0; at < text.length; at += 1) hash = addCode(hash, text.charCodeAt(at));
  return mix(hash);
}

/** The 53-bit key of a term: an index stores keys, never words of the files. */
export function termKey(term: string): number {
  return hashText(term) * 2 ** HIGH_BITS + (hashText(term, SECOND_BASIS) >>> (32 - HIGH_BITS));
}

/** Reproducible random numbers of a normal distribution: xorshift and Box–Muller. */
export function createNormalSource(seed: number): () => number {
  let state = seed | 1;
  const uniform = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) + 0.5) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}
