import { sha256, toBase64Url, toHex } from "../../shared/bytes.ts";

const PREFIX = "rh_";
const SECRET_BYTES = 32;

/** A new key: 256 random bits. */
export function createKey(): string {
  return PREFIX + toBase64Url(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/**
 * What the database keeps of a key, and finds it by. How long it takes to find a hash tells nothing about a key: no client can
 * choose the hash of what it sends, but by trying.
 */
export async function hashKey(key: string): Promise<string> {
  return toHex(await sha256(key));
}
