import { type Bytes, toBase64Url } from "./bytes.ts";

/** Cryptographic randomness. */
export function randomBytes(count: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(count));
}

/** 32 random bytes unless told otherwise, base64url. */
export function randomToken(byteCount = 32): string {
  return toBase64Url(randomBytes(byteCount));
}
