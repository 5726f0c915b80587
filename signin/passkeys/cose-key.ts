import { type Bytes, concatBytes, toBase64Url } from "../../shared/bytes.ts";
import { COSE_KEY_BYTES_MAX, RSA_MODULUS_BITS_MAX, RSA_MODULUS_BITS_MIN } from "../limits.ts";
import { type CborMap, decodeCborMap } from "./cbor.ts";
import { PasskeyFault } from "./fault.ts";

/** COSE algorithms (RFC 9053, RFC 8812), those that authenticators should prefer first. */
export const ALGORITHMS = { EdDSA: -8, ES256: -7, RS256: -257 } as const;

/** A public key of an authenticator. */
export interface CoseKey {
  algorithm: number;
  /** Whether the signature of `data` is this key's. Never throws for a bad signature. */
  verify(signature: Bytes, data: Bytes): Promise<boolean>;
}

// Labels of RFC 9052, section 7.1, and of the key types.
const KEY_TYPE = 1;
const ALGORITHM = 3;
const CURVE = -1;
const [X, Y] = [-2, -3];
const [N, E] = [-1, -2];
const COORDINATE_BYTES = 32;
const ED25519_SIGNATURE_BYTES = 64;
const P256 = { name: "ECDSA", namedCurve: "P-256" };
const RSA = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

/** Reads a COSE key of one of ALGORITHMS. @throws PasskeyFault `public_key` if it is none, or is weak */
export async function importCoseKey(bytes: Bytes): Promise<CoseKey> {
  try {
    return await importKey(bytes);
  } catch (error) {
    throw new PasskeyFault("public_key", String(error));
  }
}

async function importKey(bytes: Bytes): Promise<CoseKey> {
  if (bytes.length > COSE_KEY_BYTES_MAX) throw new RangeError("the key is too large");
  const map = decodeCborMap(bytes);
  const algorithm = map.get(ALGORITHM);
  switch (algorithm) {
    case ALGORITHMS.EdDSA:
      return { algorithm, verify: await importEd25519(map) };
    case ALGORITHMS.ES256:
      return { algorithm, verify: await importP256(map) };
    case ALGORITHMS.RS256:
      return { algorithm, verify: await importRsa(map) };
    default:
      throw new RangeError("the algorithm was not requested");
  }
}

type Verify = CoseKey["verify"];

async function importEd25519(map: CborMap): Promise<Verify> {
  requireLabels(map, { [KEY_TYPE]: 1, [CURVE]: 6 });
  const point = getBytes(map, X, COORDINATE_BYTES);
  requireStrongPoint(point);
  const key = await importRaw(point, "Ed25519");
  // workerd throws at a signature of another length.
  return async (signature, data) =>
    signature.length === ED25519_SIGNATURE_BYTES &&
    (await crypto.subtle.verify("Ed25519", key, signature, data));
}

async function importP256(map: CborMap): Promise<Verify> {
  requireLabels(map, { [KEY_TYPE]: 2, [CURVE]: 1 });
  const [x, y] = [getBytes(map, X, COORDINATE_BYTES), getBytes(map, Y, COORDINATE_BYTES)];
  const key = await importRaw(concatBytes([Uint8Array.of(4), x, y]), P256);
  return async (signature, data) => {
    const raw = toRawSignature(signature, COORDINATE_BYTES);
    if (!raw) return false;
    return crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, key, raw, data);
  };
}

async function importRsa(map: CborMap): Promise<Verify> {
  requireLabels(map, { [KEY_TYPE]: 3 });
  const [n, e] = [getBytes(map, N), getBytes(map, E)];
  // RFC 8230, section 4. Leading zero bytes would hide a short modulus.
  if (n[0] === 0) throw new RangeError("the modulus has a leading zero byte");
  const bits = n.length * 8 - Math.clz32(n[0] ?? 0) + 24;
  if (bits < RSA_MODULUS_BITS_MIN || bits > RSA_MODULUS_BITS_MAX) {
    throw new RangeError(`the RSA key has ${bits} bits`);
  }
  // Others are no key that an authenticator makes, and slow to verify.
  if (toBase64Url(e) !== "AQAB") throw new RangeError("the exponent is not 65537");
  const jwk = { kty: "RSA", n: toBase64Url(n), e: toBase64Url(e), alg: "RS256", ext: true };
  const key = await crypto.subtle.importKey("jwk", jwk, RSA, false, ["verify"]);
  return (signature, data) => crypto.subtle.verify(RSA, key, signature, data);
}

const FIELD_PRIME = 2n ** 255n - 19n;
/** The y of the eight points of small order: a signature for them needs no private key. */
const SMALL_ORDER_Y = [
  0n,
  1n,
  FIELD_PRIME - 1n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
];

/** A point is the y of 255 bits, the lowest byte first, and the sign of x (RFC 8032, section 5.1.2). */
function requireStrongPoint(point: Bytes): void {
  const digits = [...point].reverse().map((byte) => byte.toString(16).padStart(2, "0"));
  const y = BigInt(`0x${digits.join("")}`) & (2n ** 255n - 1n);
  if (y >= FIELD_PRIME) throw new RangeError("the point is not canonical");
  if (SMALL_ORDER_Y.includes(y)) throw new RangeError("the point is of small order");
}

function importRaw(bytes: Bytes, algorithm: string | typeof P256): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
}

function requireLabels(map: CborMap, labels: Record<number, number>): void {
  for (const [label, value] of Object.entries(labels)) {
    if (map.get(Number(label)) !== value) throw new RangeError("the key is of another type");
  }
}

function getBytes(map: CborMap, label: number, length?: number): Bytes {
  const value = map.get(label);
  if (!(value instanceof Uint8Array) || (length !== undefined && value.length !== length)) {
    throw new RangeError("the key has a part of another length");
  }
  return value;
}

const SEQUENCE = 0x30;
const INTEGER = 0x02;

/**
 * The signature of an elliptic curve as WebCrypto takes it: r and s, `size` bytes each. Authenticators send DER (RFC 3279,
 * section 2.2.3). Undefined if it is not its only DER form.
 */
function toRawSignature(der: Bytes, size: number): Bytes | undefined {
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
