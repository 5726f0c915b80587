import { withoutTrailing } from "./without-trailing.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Bytes with a plain ArrayBuffer, as WebCrypto and fetch require. */
export type Bytes = Uint8Array<ArrayBuffer>;

export function utf8(text: string): Bytes {
  return encoder.encode(text);
}

/** @throws TypeError if the bytes are not UTF-8. A BOM stays in the text. */
export function fromUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

export function concatBytes(parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Base64url without padding (RFC 4648 §5). */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Undefined if the text is not canonical base64url. Padding is optional. */
export function fromBase64Url(text: string): Bytes | undefined {
  if (!/^[A-Za-z0-9_-]*={0,2}$/.test(text)) return undefined;
  const bare = withoutTrailing(text, "=");
  if (bare.length % 4 === 1 || (text !== bare && text.length % 4 !== 0)) return undefined;
  const bytes = fromBase64(bare.replaceAll("-", "+").replaceAll("_", "/"));
  return toBase64Url(bytes) === bare ? bytes : undefined;
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export async function sha256(data: Uint8Array | string): Promise<Bytes> {
  const bytes = typeof data === "string" ? utf8(data) : new Uint8Array(data);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

// Eight kilobytes at a time: String.fromCharCode takes its bytes as arguments.
const CHUNK_BYTES = 8192;

/** Base64 with padding (RFC 4648 §4). */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES));
  }
  return btoa(binary);
}

function fromBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
