import { type Bytes, concatBytes, sha256, toBase64Url, toHex } from "../../shared/bytes.ts";
import type { SigningAlgorithm } from "../config/variables.ts";
import { deriveBytes, type HmacSha256, importHmacKey, toMac } from "./mac.ts";
import type { KeySet } from "./well-known-wire.ts";

/** A key of `JWT_SECRET_KEY`, as access tokens use it, with the id that they carry. */
export interface SigningKey {
  id: string;
  /** For verifying. */
  key: CryptoKey;
  sign(data: Bytes): Uint8Array | Promise<Uint8Array>;
  /** What other services verify with; undefined if the key is a shared secret. */
  published: KeySet["keys"][number] | undefined;
}

const ED25519 = "Ed25519";
// Changing it changes every key pair.
const ED25519_INFO = "roundhouse-signin ed25519 v1";
// RFC 8410, section 7: an Ed25519 private key in PKCS #8 is these bytes and the seed.
const PKCS8_PREFIX = Uint8Array.of(48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32);

/** The key of one entry of `JWT_SECRET_KEY` under `JWT_SIGNING_ALG`. */
export function createSigningKey(
  master: Bytes,
  algorithm: SigningAlgorithm,
  hmac?: HmacSha256,
): Promise<SigningKey> {
  return algorithm === "EdDSA" ? createKeyPair(master) : createSharedKey(master, hmac);
}

async function createSharedKey(master: Bytes, hmac?: HmacSha256): Promise<SigningKey> {
  const id = toHex(await sha256(master)).slice(0, 8);
  const key = await importHmacKey(master);
  return { id, key, sign: toMac(master, key, hmac), published: undefined };
}

async function createKeyPair(master: Bytes): Promise<SigningKey> {
  const pkcs8 = concatBytes([PKCS8_PREFIX, await deriveBytes(master, ED25519_INFO)]);
  const { subtle } = crypto;
  const exportable = await subtle.importKey("pkcs8", pkcs8, ED25519, true, ["sign"]);
  const { x = "" } = await subtle.exportKey("jwk", exportable);
  const [secret, key] = await Promise.all([
    subtle.importKey("pkcs8", pkcs8, ED25519, false, ["sign"]),
    subtle.importKey("jwk", { kty: "OKP", crv: ED25519, x }, ED25519, false, ["verify"]),
  ]);
  const id = await thumbprintOf(x);
  return {
    id,
    key,
    sign: async (data) => new Uint8Array(await subtle.sign(ED25519, secret, data)),
    published: { kty: "OKP", crv: ED25519, x, kid: id, alg: "EdDSA", use: "sig" },
  };
}

/** RFC 7638: the required members in alphabetical order. */
async function thumbprintOf(x: string): Promise<string> {
  return toBase64Url(await sha256(JSON.stringify({ crv: ED25519, kty: "OKP", x })));
}
