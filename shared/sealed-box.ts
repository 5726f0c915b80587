import { type Bytes, fromBase64Url, fromUtf8, sha256, toBase64Url, toHex, utf8 } from "./bytes.ts";
import { randomBytes } from "./random.ts";

const NONCE_BYTES = 12;
const KEY_BYTES = 32;

/** Encrypts short secrets for storage. An envelope can be opened only in the context (AAD) that it was sealed for. */
export interface SealedBox {
  /** `v1.<key id>.<nonce>.<ciphertext>`, base64url; a fresh random nonce each time. */
  seal(secret: string, context: string): Promise<string>;
  /** @throws SealBroken if the envelope is malformed, or has an unknown key or another context. */
  open(envelope: string, context: string): Promise<string>;
  /** The id of the key that seals. */
  readonly keyId: string;
}

/** An envelope that this box cannot open. The error does not contain it. */
export class SealBroken extends Error {
  override name = "SealBroken";
}

/**
 * AES-256-GCM. The first key seals and all of them open, so that keys can be rotated.
 * @throws RangeError if a key is not 32 bytes long.
 */
export async function createSealedBox(keys: readonly Uint8Array[]): Promise<SealedBox> {
  const ring = await Promise.all(keys.map(importKey));
  const current = ring[0];
  if (!current) throw new RangeError("A sealed box needs a key.");

  return {
    keyId: current.id,
    async seal(secret, context) {
      const iv = randomBytes(NONCE_BYTES);
      const params = { name: "AES-GCM", iv, additionalData: utf8(context) };
      const sealed = await crypto.subtle.encrypt(params, current.key, utf8(secret));
      return `v1.${current.id}.${toBase64Url(iv)}.${toBase64Url(new Uint8Array(sealed))}`;
    },
    async open(envelope, context) {
      const { id, iv, ciphertext } = parseEnvelope(envelope);
      const entry = ring.find((candidate) => candidate.id === id);
      if (!entry) throw new SealBroken("The secret was sealed with another key.");
      const params = { name: "AES-GCM", iv, additionalData: utf8(context) };
      try {
        return fromUtf8(new Uint8Array(await crypto.subtle.decrypt(params, entry.key, ciphertext)));
      } catch {
        throw new SealBroken("The sealed secret does not belong here or was changed.");
      }
    },
  };
}

async function importKey(bytes: Uint8Array): Promise<{ id: string; key: CryptoKey }> {
  if (bytes.length !== KEY_BYTES) throw new RangeError("A sealing key has 32 bytes.");
  const raw = new Uint8Array(bytes);
  const key = await crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"]);
  return { id: toHex(await sha256(raw)).slice(0, 8), key };
}

function parseEnvelope(envelope: string): { id: string; iv: Bytes; ciphertext: Bytes } {
  const [version, id, nonce, sealed, ...rest] = envelope.split(".");
  const iv = fromBase64Url(nonce ?? "");
  const ciphertext = fromBase64Url(sealed ?? "");
  if (version !== "v1" || !id || iv?.length !== NONCE_BYTES || !ciphertext || rest.length > 0) {
    throw new SealBroken("The sealed secret is malformed.");
  }
  return { id, iv, ciphertext };
}
