import { type Bytes, utf8 } from "../../shared/bytes.ts";

/** HMAC-SHA256 with a key that it holds. */
export type Mac = (data: Bytes) => Uint8Array | Promise<Uint8Array>;

/** HMAC-SHA256 done at once, if the runtime has it: each job that WebCrypto gives to other threads costs more than the hash. */
export type HmacSha256 = (key: Bytes, data: Bytes) => Uint8Array;

const HMAC = { name: "HMAC", hash: "SHA-256" };

/** The key for `toMac`. */
export function importHmacKey(bytes: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes, HMAC, false, ["sign", "verify"]);
}

/** By the runtime's own function if it has one. */
export function toMac(bytes: Bytes, key: CryptoKey, hmac: HmacSha256 | undefined): Mac {
  if (hmac) return (data) => hmac(bytes, data);
  return async (data) => new Uint8Array(await crypto.subtle.sign("HMAC", key, data));
}

const DERIVED_BITS = 256;

/** 32 bytes of their own for `info` (HKDF-SHA-256 with an empty salt): no output of one purpose can serve as another. */
export async function deriveBytes(bytes: Bytes, info: string): Promise<Bytes> {
  const master = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveBits"]);
  const params = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: utf8(info) };
  return new Uint8Array(await crypto.subtle.deriveBits(params, master, DERIVED_BITS));
}
