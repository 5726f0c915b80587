import type { Bytes } from "../../shared/bytes.ts";

const SEQUENCE = 0x30;
const INTEGER = 0x02;

/**
 * The signature of an elliptic curve as WebCrypto takes it: r and s, `size` bytes each. Authenticators send DER (RFC 3279,
 * section 2.2.3). Undefined where it is not its only DER form.
 */
export function toRawSignature(der: Bytes, size: number): Bytes | undefined {
  if (der[0] !== SEQUENCE || der[1] !== der.length - 2 || der.length > 127) return undefined;
  const r = readInteger(der, 2, size);
  const s = r && readInteger(der, r.end, size);
  if (!r || !s || s.end !== der.length) return undefined;
  const raw = new Uint8Array(2 * size);
  raw.set(r.bytes, size - r.bytes.length);
  raw.set(s.bytes, 2 * size - s.bytes.length);
  return raw;
}

function readInteger(der: Bytes, at: number, size: number) {
  const length = der[at + 1] ?? 0;
  const [first = 0, second = 0] = [der[at + 2], der[at + 3]];
  const end = at + 2 + length;
  if (der[at] !== INTEGER || length === 0 || end > der.length || first > 127) return undefined;
  // A leading zero is there for a high bit alone.
  const isPadded = first === 0 && length > 1;
  if (isPadded && second < 128) return undefined;
  const bytes = der.subarray(at + 2 + (isPadded ? 1 : 0), end);
  return bytes.length > size ? undefined : { bytes, end };
}
