import type { Bytes } from "../../shared/bytes.ts";

/** HMAC-SHA256 with a key that it holds. */
export type Mac = (data: Bytes) => Uint8Array | Promise<Uint8Array>;

/** HMAC-SHA256 done at once, where the runtime has it: each job that WebCrypto gives to other threads costs more than the hash. */
export type HmacSha256 = (key: Bytes, data: Bytes) => Uint8Array;

const HMAC = { name: "HMAC", hash: "SHA-256" };

/** The key for `toMac`. */
export function importHmacKey(bytes: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes, HMAC, false, ["sign", "verify"]);
}

/** By the runtime's own function where it has one. */
export function toMac(bytes: Bytes, key: CryptoKey, hmac: HmacSha256 | undefined): Mac {
  if (hmac) return (data) => hmac(bytes, data);
  return async (data) => new Uint8Array(await crypto.subtle.sign("HMAC", key, data));
}
