const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;
const BITS = 28;

/** 28 bits of a host name: FNV-1a, which needs no secrecy, with both halves mixed. */
export function hashName(name: string): number {
  let hash = OFFSET_BASIS;
  for (let at = 0; at < name.length; at += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(at), PRIME);
  }
  return ((hash >>> BITS) ^ hash) & (2 ** BITS - 1);
}
